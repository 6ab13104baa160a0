declare module 'monaco-editor/languages/definitions/sql/sql' {
  import type { languages } from 'monaco-editor';

  export const conf: languages.LanguageConfiguration;
  export const language: languages.IMonarchLanguage;
}
