// A draft in the page's address: `#1.` and the base64url of its deflated JSON. Nothing leaves the browser: a hash is not sent.
import { EXAMPLES, type Draft, type Shape } from './draft';

const VERSION = '1.';
const SHAPES: readonly Shape[] = ['absent', 'same', 'other'];
/** What an address may unpack to, in bytes: a crafted one is not to fill the memory. */
const LIMIT_BYTES = 4 << 20;

export async function toHash(draft: Draft): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(draft)), new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  return `#${VERSION}${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** The draft in a hash; the first example when there is none, or none that can be read. */
export async function fromAddress(hash: string): Promise<Draft> {
  return (await fromHash(hash)) ?? EXAMPLES[0].draft;
}

export async function fromHash(hash: string): Promise<Draft | undefined> {
  if (!hash.startsWith(`#${VERSION}`)) return undefined;
  try {
    const binary = atob(hash.slice(1 + VERSION.length).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const text = new TextDecoder().decode(await through(packed, new DecompressionStream('deflate-raw')));
    return draftOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function draftOf(value: unknown): Draft | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { script, partition, shape, output, target } = value as Record<string, unknown>;
  if (typeof script !== 'string') return undefined;
  const text = (part: unknown): string => (typeof part === 'string' ? part : '');
  return {
    script,
    partition: text(partition),
    shape: SHAPES.find((known) => known === shape) ?? 'absent',
    output: text(output),
    target: text(target),
  };
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
