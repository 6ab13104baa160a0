import type { Column } from './parser';

/**
 * Columns from a line such as `id INTEGER, price DECIMAL(10,2), "full name" VARCHAR`. This reads a form field, not SQL: the first
 * word, or what stands in double quotes, is the name, and the rest is the type as DESCRIBE gives it.
 */
export function columnsOf(text: string): { columns: Column[]; problem?: string } {
  const columns: Column[] = [];
  for (const item of items(text)) {
    const [, quoted, bare, type] = /^(?:"((?:[^"]|"")*)"|(\S+))\s*(.*)$/s.exec(item) ?? [];
    const name = quoted?.replaceAll('""', '"') ?? bare ?? '';
    if (name === '' || !type) return { columns, problem: `“${item}” needs a name and a type, as in “id INTEGER”` };
    columns.push({ name, type });
  }
  return { columns };
}

/** The text between commas, apart from those in brackets or double quotes. */
function items(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let quoted = false;
  let item = '';
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && '([{'.includes(character)) depth += 1;
    else if (!quoted && ')]}'.includes(character)) depth -= 1;
    if (character === ',' && depth <= 0 && !quoted) {
      found.push(item);
      item = '';
    } else {
      item += character;
    }
  }
  found.push(item);
  return found.map((each) => each.trim()).filter((each) => each !== '');
}
