import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  // Relative addresses: the page works in any folder of any server.
  base: './',
  plugins: [svelte()],
  // The parser lies beside this folder, in ../parser-wasm/npm.
  server: { fs: { allow: ['..'] } },
  build: {
    target: 'es2022',
    // Monaco is the largest part by far, and is loaded after the page is drawn.
    chunkSizeWarningLimit: 4096,
  },
});
