// Monaco with the parts that this page uses, its worker bundled with the page.
// Parts that no `features/…` module has.
import 'monaco-editor/editor/browser/coreCommands';
import 'monaco-editor/editor/common/standaloneStrings';
import 'monaco-editor/editor/contrib/gotoError/browser/markerSelectionStatus';
import 'monaco-editor/editor/contrib/semanticTokens/browser/documentSemanticTokens';
import 'monaco-editor/editor/contrib/suggest/browser/suggestController';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codeAction/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/iPadShowKeyboard/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/lineSelection/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/quickCommand/register';
import 'monaco-editor/features/snippet/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/unusualLineTerminators/register';
import 'monaco-editor/features/wordHighlighter/register';
import 'monaco-editor/features/wordOperations/register';

import * as monaco from 'monaco-editor/editor/editor.api';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { conf, language } from 'monaco-editor/languages/definitions/sql/sql';

import type { Theme } from './theme.svelte';

/** The language of the script, which the parser serves, and that of the plan, which is SQL and no script. Both look alike. */
export const SCRIPT_LANGUAGE = 'lakemill';
export const PLAN_LANGUAGE = 'sql';
for (const id of [SCRIPT_LANGUAGE, PLAN_LANGUAGE]) {
  monaco.languages.register({ id });
  monaco.languages.setMonarchTokensProvider(id, language);
  monaco.languages.setLanguageConfiguration(id, conf);
}

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };

const FONT = "'JetBrains Mono Variable', ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace";

/** Words of the annotations stand out from the comments that they are written in. */
const RULES: Record<Theme, monaco.editor.ITokenThemeRule[]> = {
  light: [
    { token: '', foreground: '24303a' },
    { token: 'comment', foreground: '6b7780' },
    { token: 'keyword', foreground: '0b5fa5' },
    { token: 'operator', foreground: '4a5660' },
    { token: 'predefined', foreground: '7a4b9e' },
    { token: 'string', foreground: '8a5a00' },
    { token: 'number', foreground: '8a5a00' },
    { token: 'identifier', foreground: '24303a' },
    { token: 'delimiter', foreground: '4a5660' },
    { token: 'keyword.annotation', foreground: '0c636d', fontStyle: 'bold' },
    { token: 'type.option', foreground: '0c636d' },
    { token: 'variable.value', foreground: '7a4b9e' },
    { token: 'string.asset', foreground: '8a5a00' },
    { token: 'column', foreground: '24303a' },
    { token: 'variable.partition', foreground: 'b0366f', fontStyle: 'bold' },
  ],
  dark: [
    { token: '', foreground: 'd5dde3' },
    { token: 'comment', foreground: '86939d' },
    { token: 'keyword', foreground: '7fb8f0' },
    { token: 'operator', foreground: 'a9b6c0' },
    { token: 'predefined', foreground: 'c9a4e8' },
    { token: 'string', foreground: 'e3b76b' },
    { token: 'number', foreground: 'e3b76b' },
    { token: 'identifier', foreground: 'd5dde3' },
    { token: 'delimiter', foreground: 'a9b6c0' },
    { token: 'keyword.annotation', foreground: '6fcad3', fontStyle: 'bold' },
    { token: 'type.option', foreground: '6fcad3' },
    { token: 'variable.value', foreground: 'c9a4e8' },
    { token: 'string.asset', foreground: 'e3b76b' },
    { token: 'column', foreground: 'd5dde3' },
    { token: 'variable.partition', foreground: 'f08fb8', fontStyle: 'bold' },
  ],
};

/** The base themes colour some classes of SQL apart; here they look like the class itself. */
function rules(theme: Theme): monaco.editor.ITokenThemeRule[] {
  const apart = ['predefined', 'operator', 'string'];
  return RULES[theme].flatMap((rule) => (apart.includes(rule.token) ? [rule, { ...rule, token: `${rule.token}.sql` }] : [rule]));
}

monaco.editor.defineTheme('lakemill-light', {
  base: 'vs',
  inherit: true,
  rules: rules('light'),
  colors: {
    'editor.background': '#ffffff',
    'editor.foreground': '#24303a',
    'editorLineNumber.foreground': '#66727c',
    'editorLineNumber.activeForeground': '#3c4852',
    'editor.lineHighlightBackground': '#f3f6f7',
    'editor.lineHighlightBorder': '#00000000',
    'editor.selectionBackground': '#cfe5e8',
    'editorWidget.background': '#ffffff',
    'editorWidget.border': '#d5dbdf',
    'editorError.foreground': '#c02f2f',
    'editorWarning.foreground': '#b56f00',
    'editorInfo.foreground': '#0b6fa5',
    'editorHoverWidget.background': '#ffffff',
    'editorHoverWidget.border': '#d5dbdf',
    'editorSuggestWidget.background': '#ffffff',
    'editorSuggestWidget.border': '#d5dbdf',
    'editorSuggestWidget.foreground': '#24303a',
    'editorSuggestWidget.selectedBackground': '#dcecee',
    'editorSuggestWidget.selectedForeground': '#1f2a33',
    'editorSuggestWidget.selectedIconForeground': '#1f2a33',
    'editorSuggestWidget.highlightForeground': '#0c636d',
    'editorSuggestWidget.focusHighlightForeground': '#0c636d',
    'list.hoverBackground': '#eef2f3',
    'textCodeBlock.background': '#eef2f3',
    'textLink.foreground': '#0c636d',
    'menu.selectionBackground': '#dcecee',
    'menu.selectionForeground': '#1f2a33',
    focusBorder: '#0f6b75',
  },
});
monaco.editor.defineTheme('lakemill-dark', {
  base: 'vs-dark',
  inherit: true,
  rules: rules('dark'),
  colors: {
    'editor.background': '#161c21',
    'editor.foreground': '#d5dde3',
    'editorLineNumber.foreground': '#84919b',
    'editorLineNumber.activeForeground': '#b8c3cb',
    'editor.lineHighlightBackground': '#1c242a',
    'editor.lineHighlightBorder': '#00000000',
    'editor.selectionBackground': '#24515a',
    'editorWidget.background': '#1b2329',
    'editorWidget.border': '#36424b',
    'editorError.foreground': '#f07a72',
    'editorWarning.foreground': '#e0a34a',
    'editorInfo.foreground': '#62b1e0',
    'editorHoverWidget.background': '#1b2329',
    'editorHoverWidget.border': '#36424b',
    'editorSuggestWidget.background': '#1b2329',
    'editorSuggestWidget.border': '#36424b',
    'editorSuggestWidget.foreground': '#d5dde3',
    'editorSuggestWidget.selectedBackground': '#1d3b41',
    'editorSuggestWidget.selectedForeground': '#e6edf1',
    'editorSuggestWidget.selectedIconForeground': '#e6edf1',
    'editorSuggestWidget.highlightForeground': '#6fcad3',
    'editorSuggestWidget.focusHighlightForeground': '#6fcad3',
    'list.hoverBackground': '#222b32',
    'textCodeBlock.background': '#222b32',
    'textLink.foreground': '#6fcad3',
    'menu.selectionBackground': '#1d3b41',
    'menu.selectionForeground': '#e6edf1',
    focusBorder: '#5fc0c9',
  },
});

export function useTheme(theme: Theme): void {
  monaco.editor.setTheme(`lakemill-${theme}`);
}

/** SQL as HTML, each word with the class that the theme in use colours. */
export async function coloured(sql: string): Promise<string> {
  const html = await monaco.editor.colorize(sql, PLAN_LANGUAGE, { tabSize: 2 });
  // Monaco makes every space one that does not wrap, and that is copied as such.
  return html.replaceAll(/&#160;|\u00a0/g, ' ');
}

/** Escape, then Tab leaves the editor: Tab alone indents. */
function leaveByEscape(element: HTMLElement): void {
  let isLeaving = false;
  const follow = (event: KeyboardEvent): void => {
    if (event.key === 'Tab' && isLeaving) event.stopPropagation();
    if (!['Shift', 'Tab'].includes(event.key)) isLeaving = event.key === 'Escape';
  };
  element.addEventListener('keydown', follow, { capture: true });
  element.addEventListener('focusout', () => (isLeaving = false));
}

/** An editor in an element of a set size. */
export function createEditor(element: HTMLElement, model: monaco.editor.ITextModel, label: string): monaco.editor.IStandaloneCodeEditor {
  const narrow = matchMedia('(max-width: 34rem)').matches;
  leaveByEscape(element);
  return monaco.editor.create(element, {
    model,
    ariaLabel: label,
    automaticLayout: true,
    fontFamily: FONT,
    fontSize: 13.5,
    lineHeight: 22,
    fontLigatures: false,
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    scrollbar: { alwaysConsumeMouseWheel: false, verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
    overviewRulerLanes: narrow ? 0 : 2,
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    padding: { top: 12, bottom: 12 },
    lineNumbersMinChars: 3,
    lineDecorationsWidth: 10,
    renderFinalNewline: 'off',
    glyphMargin: false,
    wordWrap: narrow ? 'on' : 'off',
    wrappingIndent: 'indent',
    renderLineHighlight: 'line',
    fixedOverflowWidgets: true,
    hover: { above: false, delay: 250 },
    suggest: { showStatusBar: false, preview: false },
    wordBasedSuggestions: 'off',
    quickSuggestions: { comments: true, other: true, strings: true },
    contextmenu: true,
    guides: { indentation: false },
    stickyScroll: { enabled: false },
    tabSize: 2,
    'semanticHighlighting.enabled': true,
    // Not among the typed options, and the typed one does not reach the model.
    ...{ 'bracketPairColorization.enabled': false },
    unicodeHighlight: { ambiguousCharacters: false },
    lightbulb: { enabled: monaco.editor.ShowLightbulbIconMode.On },
  });
}

export { monaco };
