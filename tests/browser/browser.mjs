// Chromium on a page of this machine: a static server on a free loopback port, and the system's browser.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { extname, join, normalize, resolve, sep } from 'node:path';

import { chromium } from 'playwright-core';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/**
 * Serves folders under prefixes, `{ '/': 'web-demo/dist' }`, and pages given as text.
 *
 * @param {Record<string, string>} folders
 * @param {Record<string, string>} [pages]
 */
export async function serve(folders, pages = {}) {
  const prefixes = Object.keys(folders).sort((left, right) => right.length - left.length);
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = decodeURIComponent(pathname);
    if (pages[path] !== undefined) {
      response.writeHead(200, { 'content-type': TYPES['.html'] }).end(pages[path]);
      return;
    }
    const prefix = prefixes.find((each) => path.startsWith(each));
    const root = prefix === undefined ? undefined : resolve(folders[prefix]);
    const file = root === undefined ? undefined : normalize(join(root, path.endsWith('/') ? `${path.slice(prefix.length)}index.html` : path.slice(prefix.length)));
    if (file === undefined || !(file === root || file.startsWith(root + sep))) {
      response.writeHead(404).end();
      return;
    }
    try {
      const content = await readFile(file);
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready, failed) => server.once('error', failed).listen(0, '127.0.0.1', ready));
  const { port } = server.address();
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}

/** The system's Chromium with a fresh profile. `LAKEMILL_CHROMIUM` names another one. */
export async function launch() {
  const candidates = [process.env.LAKEMILL_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (executablePath === undefined) throw new Error('no Chromium: install the package `chromium`, or name it in LAKEMILL_CHROMIUM');
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
