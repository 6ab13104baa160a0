// Light or dark: the system's preference until a person chooses.
export type Theme = 'light' | 'dark';

const KEY = 'lakemill-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

let chosen = $state<Theme | undefined>(document.documentElement.dataset.theme as Theme | undefined);
let preferred = $state<Theme>(system.matches ? 'dark' : 'light');
system.addEventListener('change', ({ matches }) => (preferred = matches ? 'dark' : 'light'));

export function theme(): Theme {
  return chosen ?? preferred;
}

export function toggleTheme(): void {
  chosen = theme() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = chosen;
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Storage is closed to this page: the choice holds until it is left.
  }
}
