import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './page.css';

import { mount } from 'svelte';

import App from './App.svelte';
import { fromAddress } from './lib/address';
import { load } from './lib/parser';

/** How long the first picture of the page waits for its letters, in milliseconds. */
const FONTS_WAIT_MS = 1500;

const target = document.getElementById('app');
if (target === null) throw new Error('no #app in the page');

try {
  const fonts = Promise.all(["400 1rem 'Inter Variable'", "13.5px 'JetBrains Mono Variable'"].map((font) => document.fonts.load(font)));
  const enough = new Promise((resolve) => setTimeout(resolve, FONTS_WAIT_MS));
  const [initial] = await Promise.all([fromAddress(location.hash), load(), Promise.race([fonts, enough])]);
  target.replaceChildren();
  mount(App, { target, props: { initial } });
} catch (error) {
  const status = document.getElementById('loading');
  if (status !== null) status.textContent = `The parser could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
  throw error;
}
