// The open scripts in the page's address: `#2.` and the base64url of their deflated JSON. Nothing leaves the browser: a hash is not sent.
import { CATALOGS, EXAMPLES, type CatalogKind, type Draft, type Project, type Shape } from './draft';

const VERSION = '2.';
const SHAPES: readonly Shape[] = ['absent', 'same', 'other'];
/** What an address may unpack to, in bytes: a crafted one is not to fill the memory. */
const LIMIT_BYTES = 4 << 20;

export async function toHash(project: Project): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(project)), new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  return `#${VERSION}${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** The scripts in a hash; the examples when there are none, or none that can be read. */
export async function fromAddress(hash: string): Promise<Project> {
  return (await fromHash(hash)) ?? EXAMPLES;
}

export async function fromHash(hash: string): Promise<Project | undefined> {
  if (!hash.startsWith(`#${VERSION}`)) return undefined;
  try {
    const binary = atob(hash.slice(1 + VERSION.length).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const text = new TextDecoder().decode(await through(packed, new DecompressionStream('deflate-raw')));
    return projectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function projectOf(value: unknown): Project | undefined {
  const { drafts, open, catalog } = objectOf(value);
  if (!Array.isArray(drafts)) return undefined;
  const read = drafts.map(draftOf).filter((each) => each !== undefined);
  const distinct = read.filter(({ path }, index) => read.findIndex((other) => other.path === path) === index);
  const [first] = distinct;
  if (first === undefined) return undefined;
  const chosen = distinct.find(({ path }) => path === open) ?? first;
  return { drafts: distinct, open: chosen.path, catalog: typeof catalog === 'string' && Object.hasOwn(CATALOGS, catalog) ? (catalog as CatalogKind) : 'sqlite' };
}

function draftOf(value: unknown): Draft | undefined {
  const { path, script, partition, shape, output, target } = objectOf(value);
  if (typeof path !== 'string' || path === '' || typeof script !== 'string') return undefined;
  const text = (part: unknown): string => (typeof part === 'string' ? part : '');
  return {
    path,
    script,
    partition: text(partition),
    shape: SHAPES.find((known) => known === shape) ?? 'absent',
    output: text(output),
    target: text(target),
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > LIMIT_BYTES) {
      await reader.cancel();
      throw new RangeError('the address holds too much');
    }
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
