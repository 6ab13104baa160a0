import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './page.css';

import { mount } from 'svelte';

import App from './App.svelte';
import { fromAddress } from './lib/address';
import { load } from './lib/parser';

const target = document.getElementById('app');
if (target === null) throw new Error('no #app in the page');

const [initial] = await Promise.all([fromAddress(location.hash), load()]);
mount(App, { target, props: { initial } });
