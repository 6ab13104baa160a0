// Uses the page of web-demo/dist as a person does.
//
//   node tests/browser/page.mjs [--page FOLDER]
//
// LAKEMILL_SCREENSHOTS=FOLDER also writes pictures of it, light, dark and narrow.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { launch, serve } from './browser.mjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: options } = parseArgs({ options: { page: { type: 'string', default: join(repository, 'web-demo/dist') } } });
if (!existsSync(join(options.page, 'index.html'))) throw new Error(`no page in ${options.page}: npm run build in web-demo`);

const pictures = process.env.LAKEMILL_SCREENSHOTS;
if (pictures) mkdirSync(pictures, { recursive: true });

const CLEAN = '-- materialize ducklake://shop/orders\nSELECT 1 AS id\n';
const TYPO = '-- materialise ducklake://shop/orders\nSELECT 1 AS id\n';

const tests = {
  'a typo gets a squiggle and a line in the list': async (page) => {
    await write(page, CLEAN);
    await squiggles(page, 0);
    await write(page, TYPO);
    await page.waitForSelector('.squiggly-warning');
    const row = page.locator('.problems li').first();
    assert.match(await row.innerText(), /LM001/);
    assert.equal(await row.getAttribute('data-severity'), 'warning');
  },

  'squiggles follow what is typed key by key': async (page) => {
    await write(page, '');
    await page.keyboard.type('-- materialise ducklake://shop/orders');
    await page.waitForSelector('.squiggly-warning');
    await page.keyboard.press('Home');
    for (let presses = 0; presses < '-- materiali'.length; presses += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Delete');
    await page.keyboard.type('z');
    await page.waitForFunction(() => !document.querySelector('.script .squiggly-warning'));
  },

  'the editor offers the fix and applies it': async (page) => {
    await write(page, TYPO);
    await page.waitForSelector('.squiggly-warning');
    await caret(page, 1, 6);
    await page.keyboard.press('Control+.');
    await page.locator('.action-widget').getByText('Change to `materialize`').waitFor();
    await picture(page, 'quick-fix');
    await page.keyboard.press('Enter');
    await text(page, CLEAN);
    await squiggles(page, 0);
  },

  'the list applies a fix, and undo takes it back': async (page) => {
    await write(page, TYPO);
    await page.getByRole('button', { name: /^Apply fix/ }).click();
    await text(page, CLEAN);
    await page.getByText('Nothing to mend').waitFor();
    await caret(page, 1, 1);
    await page.keyboard.press('Control+z');
    await text(page, TYPO);
  },

  'a line of the list leads to its place, by keyboard': async (page) => {
    await write(page, `${CLEAN}\n-- data_test unique id\n`);
    await page.locator('.problems .message').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.closest('.script .monaco-editor') !== null);
  },

  'all mistakes of the example are mended by its fixes or listed': async (page) => {
    await openScript(page, 'revenue.sql');
    await page.locator('.problems li').first().waitFor();
    const before = await page.locator('.problems li').count();
    assert.ok(before >= 4, `${before} problems`);
    await picture(page, 'mistakes');
    for (let presses = 0; presses < 20; presses += 1) {
      const fix = page.getByRole('button', { name: /^Apply fix/ }).first();
      if ((await fix.count()) === 0) break;
      await fix.click();
    }
    await page.getByText('Nothing to mend').waitFor();
    assert.equal(await page.locator('.files .count').count(), 0);
  },

  'the pipeline shows who writes, reads and tests what': async (page) => {
    const drawn = async (kind) => page.locator(`.pipeline .graph > svg > path.${kind}`).count();
    assert.deepEqual([await drawn('write'), await drawn('read'), await drawn('test')], [3, 4, 1]);
    const scripts = page.locator('.pipeline button');
    assert.deepEqual((await scripts.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()), ['2 orders_daily.sql', '1 customers.sql', '3 revenue.sql 4']);
    assert.equal(await scripts.first().getAttribute('aria-label'), 'orders_daily.sql: reads raw/orders, writes shop/orders_daily, tests against shop/customers');
    for (const asset of ['raw/orders', 'raw/customer_events', 'shop/customers', 'shop/orders_daily', 'shop/revenue']) {
      await page.locator('.pipeline .asset').getByText(asset, { exact: true }).waitFor();
    }
    assert.deepEqual(await overlaps(page), []);
    await picture(page, 'pipeline');
  },

  'a script of the pipeline opens, by mouse and by keyboard': async (page) => {
    await page.locator('.pipeline button', { hasText: 'revenue.sql' }).click();
    await page.waitForFunction(() => document.querySelector('.script .view-lines')?.textContent?.includes('unqiue'));
    assert.equal(await page.locator('.files button[aria-pressed=true]').innerText().then((text) => text.split('\n')[0]), 'revenue.sql');
    await page.locator('.problems li').first().waitFor();
    await page.locator('.pipeline button', { hasText: 'customers.sql' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.script .view-lines')?.textContent?.includes('QUALIFY'));
    assert.equal(await page.locator('.pipeline button[aria-current=true]').innerText().then((text) => text.includes('customers.sql')), true);
    assert.equal(await page.locator('.problems li').count(), 0);
    await page.getByTestId('plan-summary').getByText('merge shop/customers').waitFor();
  },

  'the pipeline follows what is typed, and shows a cycle': async (page) => {
    await openScript(page, 'customers.sql');
    await write(page, "-- materialize ducklake://shop/customers key=id\nATTACH 'ducklake://shop' AS shop;\nSELECT id, country FROM shop.revenue\n");
    await page.getByTestId('cycles').getByText('customers.sql → orders_daily.sql → revenue.sql → customers.sql').waitFor();
    assert.ok((await page.locator('.pipeline path.bad').count()) >= 6);
    // It is marked in the text as well, of this script and of the others.
    await page.locator('.problems li', { hasText: 'LM122' }).waitFor();
    await page.waitForSelector('.script .squiggly-error');
    assert.deepEqual(await overlaps(page), []);
    await picture(page, 'cycle');
    await openScript(page, 'orders_daily.sql');
    await page.waitForSelector('.script .squiggly-error');
    await openScript(page, 'customers.sql');
    await write(page, '-- materialize ducklake://shop/customers key=id\nSELECT 1 AS id\n');
    await page.waitForFunction(() => document.querySelector('[data-testid=cycles]') === null);
    await openScript(page, 'orders_daily.sql');
    await squiggles(page, 0);
  },

  'each script keeps its own undo, form and place': async (page) => {
    await write(page, TYPO);
    await openScript(page, 'customers.sql');
    assert.equal(await page.getByRole('radio', { name: 'same columns' }).isChecked(), true);
    await write(page, CLEAN);
    await openScript(page, 'orders_daily.sql');
    await text(page, TYPO);
    assert.equal(await page.getByRole('radio', { name: 'absent' }).isChecked(), true);
    await caret(page, 1, 1);
    // What was put in is several steps, and the view may have moved.
    for (let steps = 0; steps < 20 && !(await scriptText(page)).includes('FROM raw.orders'); steps += 1) await page.keyboard.press('Control+z');
    assert.match(await scriptText(page), /FROM raw\.orders/);
    await openScript(page, 'customers.sql');
    await text(page, CLEAN);
  },

  'scripts are added, closed and brought back': async (page) => {
    await page.getByRole('button', { name: 'New script' }).click();
    await page.locator('.pipeline button', { hasText: 'new_1.sql' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('.script .monaco-editor') !== null);
    assert.match(await scriptText(page), /shop\.orders_daily/);
    await page.getByRole('button', { name: 'Close new_1.sql' }).click();
    assert.equal(await page.locator('.pipeline button').count(), 3);
    await page.getByRole('button', { name: 'Close revenue.sql' }).click();
    await page.getByRole('button', { name: 'Close customers.sql' }).click();
    assert.equal(await page.getByRole('button', { name: 'Close orders_daily.sql' }).isDisabled(), true);
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await page.locator('.pipeline button').count(), 2);
    await page.getByRole('button', { name: 'Examples' }).click();
    assert.equal(await page.locator('.pipeline button').count(), 3);
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await page.locator('.pipeline button').count(), 2);
  },

  'completion knows the tables of the other scripts': async (page) => {
    await openScript(page, 'revenue.sql');
    await write(page, '');
    await page.keyboard.insertText('-- materialize ducklake://shop/x\n-- data_test relationships c -> ducklake://shop/customers.');
    await page.keyboard.press('Control+Space');
    await page.locator('.suggest-widget.visible').getByText('updated_at').first().waitFor();
    await page.keyboard.press('Escape');
  },

  'Tab indents in the editor, and after Escape it leaves': async (page) => {
    await write(page, CLEAN);
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Tab');
    await text(page, `${CLEAN}  `);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.waitForFunction(() => document.activeElement?.closest('.monaco-editor') === null);
    await text(page, `${CLEAN}  `);
    await caret(page, 1, 1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Tab');
    assert.match(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), /^Close/);
  },

  'the plan has stages, coloured SQL and a copy': async (page) => {
    const titles = page.locator('.plan h3');
    await titles.first().waitFor();
    assert.deepEqual((await titles.allInnerTexts()).map((title) => /[A-Z][\w ]*/.exec(title)[0].trim()), ['Open', 'Set up', 'Publish', 'Verify']);
    const colours = () =>
      page.evaluate(() => new Set([...document.querySelectorAll('.plan pre span')].map((each) => getComputedStyle(each).color)).size);
    await page.waitForFunction(() => document.querySelectorAll('.plan pre span').length > 20);
    assert.ok((await colours()) >= 4);
    await page.getByRole('button', { name: 'Copy SQL' }).click();
    await page.locator('.notice', { hasText: 'SQL copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^-- open\nATTACH[^\u00a0]*COMMIT;/);
    await page.getByLabel('Lake catalogs').selectOption('PostgreSQL');
    await planShows(page, /ducklake:postgres:dbname=raw/);
    await page.getByRole('button', { name: 'Use the dark theme' }).click();
    await page.waitForFunction(() => getComputedStyle(document.querySelector('.plan pre span')).color !== 'rgb(11, 95, 165)');
    assert.ok((await colours()) >= 4);
  },

  'letters stand out from what is behind them, light and dark': async (page) => {
    const faint = async (where) => assert.deepEqual(await contrasts(page), [], where);
    for (const look of ['light', 'dark']) {
      await openScript(page, 'orders_daily.sql');
      await page.waitForTimeout(250);
      await faint(`${look}, a plan`);
      await openScript(page, 'revenue.sql');
      await page.getByRole('button', { name: 'LM010' }).click();
      await page.waitForTimeout(250);
      await faint(`${look}, problems`);
      await page.getByRole('button', { name: 'LM010' }).click();
      if (look === 'light') await page.getByRole('button', { name: 'Use the dark theme' }).click();
    }
  },

  'a code is explained where it stands': async (page) => {
    await write(page, TYPO);
    const code = page.getByRole('button', { name: 'LM001' });
    await code.click();
    assert.equal(await code.getAttribute('aria-expanded'), 'true');
    assert.ok((await page.locator('.problems .why').innerText()).length > 40);
    await code.click();
    assert.equal(await page.locator('.problems .why').count(), 0);
  },

  'completion is offered in the header': async (page) => {
    await write(page, '');
    await page.keyboard.type('-- mat');
    await page.keyboard.press('Control+Space');
    const widget = page.locator('.suggest-widget.visible');
    await widget.getByText('materialize', { exact: false }).first().waitFor();
    await picture(page, 'completion');
    await page.keyboard.press('Enter');
    assert.match(await scriptText(page), /^-- materialize/);
  },

  'hover explains a word of the header': async (page) => {
    await write(page, CLEAN);
    await caret(page, 1, 6);
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+i');
    await page.locator('.monaco-hover:visible').getByText('materialize').first().waitFor();
    await picture(page, 'hover');
    await page.keyboard.press('Escape');
  },

  'annotations are coloured apart from comments': async (page) => {
    await write(page, `${CLEAN}-- a comment\n`);
    // The keyword is a token of its own, and looks otherwise than the comment.
    await page.waitForFunction(() => {
      const words = [...document.querySelectorAll('.script .view-line > span > span')];
      const look = (text) => words.filter((each) => each.textContent?.trim() === text).map((each) => getComputedStyle(each).color)[0];
      const [annotation, comment] = [look('materialize'), look('--\u00a0a\u00a0comment')];
      return annotation !== undefined && comment !== undefined && annotation !== comment;
    });
  },

  'the plan follows partition and target': async (page) => {
    await planShows(page, /SET VARIABLE wm_partition = '2024-06-19'/);
    await planShows(page, /CREATE TABLE/);
    await page.getByLabel('Partition').fill('2024-07-01');
    await planShows(page, /SET VARIABLE wm_partition = '2024-07-01'/);
    assert.match(await page.getByTestId('plan-summary').innerText(), /\[2024-07-01\]/);
    await page.getByRole('radio', { name: 'same columns' }).check();
    await planShows(page, /DELETE FROM/);
    await page.getByLabel('Partition').fill('');
    await page.getByTestId('no-plan').getByText('no partition was given').waitFor();
    await picture(page, 'no-plan');
    await page.getByTestId('no-plan').getByRole('button').first().click();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'partition');
    await page.getByLabel('Partition').fill('2024-13-01');
    await page.getByTestId('no-plan').getByRole('listitem').first().waitFor();
    await page.getByRole('radio', { name: 'other columns' }).check();
    await page.getByLabel('Partition').fill('2024-07-01');
    await page.getByLabel('Columns of the table').fill('order_id BIGINT, customer BIGINT, amount DECIMAL(10,2)');
    await page.locator('.pane-foot').getByText('new columns were not written').waitFor();
    await page.getByLabel('Columns of the SELECT').fill('id');
    await page.getByText('needs a name and a type').waitFor();
  },

  'the theme is the chosen one, also after a reload': async (page) => {
    const dark = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    assert.equal(await dark(), 'light');
    await page.getByRole('button', { name: 'Use the dark theme' }).click();
    assert.equal(await dark(), 'dark');
    await page.waitForSelector('.monaco-editor.vs-dark');
    await page.reload();
    await ready(page);
    assert.equal(await dark(), 'dark');
    await page.waitForSelector('.monaco-editor.vs-dark');
    await page.getByRole('button', { name: 'Use the light theme' }).click();
    assert.equal(await dark(), 'light');
  },

  'a link brings everything back': async (page, { open }) => {
    const script = '-- materialize ducklake://shop/größe\n-- partitioned daily\nSELECT 1 AS id, \'😀\' AS "naïve" WHERE {partition} > \'\'\n';
    await write(page, script);
    await page.getByLabel('Partition').fill('2026-01-02');
    await page.getByRole('radio', { name: 'other columns' }).check();
    await page.getByLabel('Columns of the table').fill('id BIGINT');
    await page.getByLabel('Lake catalogs').selectOption('DuckDB');
    await openScript(page, 'revenue.sql');
    await write(page, CLEAN);
    await openScript(page, 'orders_daily.sql');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.locator('.notice', { hasText: /link/i }).waitFor();
    const address = page.url();
    assert.match(address, /#2\.[\w-]+$/);

    const other = await open(address);
    await text(other, script);
    assert.equal(await other.getByLabel('Partition').inputValue(), '2026-01-02');
    assert.equal(await other.getByLabel('Columns of the table').inputValue(), 'id BIGINT');
    assert.equal(await other.getByRole('radio', { name: 'other columns' }).isChecked(), true);

    assert.equal(await other.getByLabel('Lake catalogs').inputValue(), 'duckdb');
    await openScript(other, 'revenue.sql');
    await text(other, CLEAN);

    const broken = await open(`${address.split('#')[0]}#2.not-a-project`);
    await planShows(broken, /orders_daily/);
  },

  'every control has a name, and Tab reaches them with a visible focus': async (page) => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, a[href]')]
        .filter((each) => !each.closest('.monaco-editor') && each.getClientRects().length > 0)
        .filter((each) => !(each.getAttribute('aria-label') || each.textContent?.trim() || each.labels?.length))
        .map((each) => each.outerHTML),
    );
    assert.deepEqual(nameless, []);
    await page.locator('a[href]').first().focus();
    for (const name of [
      'Examples',
      'Copy link',
      'Use the dark theme',
      'orders_daily.sql: reads raw/orders, writes shop/orders_daily, tests against shop/customers',
      'customers.sql: reads raw/customer_events, writes shop/customers',
      'revenue.sql: reads shop/orders_daily and shop/customers, writes shop/revenue; 4 problems',
      'orders_daily.sql',
      'customers.sql',
      'revenue.sql, 4 problems',
      'New script',
      'Close orders_daily.sql',
    ]) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => ({
        name: document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim(),
        outline: getComputedStyle(document.activeElement).outlineStyle,
      }));
      assert.deepEqual(focused, { name, outline: 'solid' });
    }
  },

  'nothing moves while the page loads': async (page) => {
    await page.reload();
    await ready(page);
    const shift = await page.evaluate(
      () =>
        new Promise((resolve) => {
          let total = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) total += entry.value;
          }).observe({ type: 'layout-shift', buffered: true });
          setTimeout(() => resolve(total), 300);
        }),
    );
    assert.ok(shift < 0.02, `layout shift of ${shift}`);
  },

  'a narrow window has no sideways scrolling': async (page) => {
    for (const width of [320, 400, 768, 1024]) {
      await page.setViewportSize({ width, height: 844 });
      await page.waitForTimeout(100);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide at ${width}`);
      assert.deepEqual(await overlaps(page), [], `at ${width}`);
    }
  },
};

const server = await serve({ '/': options.page });
const browser = await launch();
let failed = 0;
try {
  for (const [name, run] of Object.entries(tests)) {
    const complaints = [];
    const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, colorScheme: 'light' });
    context.setDefaultTimeout(8000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
    const open = async (address) => {
      const page = await context.newPage();
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
      });
      page.on('pageerror', (error) => complaints.push(`page: ${error.stack ?? error}`));
      page.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol.startsWith('http') && origin !== server.origin) complaints.push(`request to ${request.url()}`);
      });
      page.on('response', (response) => {
        if (response.status() >= 400) complaints.push(`${response.status()} for ${response.url()}`);
      });
      await page.goto(address);
      await ready(page);
      return page;
    };
    try {
      await run(await open(`${server.origin}/`), { open });
      assert.deepEqual(complaints, []);
      console.log(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${String(error?.stack ?? error).replaceAll(/^/gm, '        ')}`);
      for (const complaint of complaints) console.log(`        ${complaint}`);
      const [page] = context.pages();
      if (page !== undefined) await picture(page, `failed-${name.replaceAll(/\W+/g, '-')}`);
    } finally {
      await context.close();
    }
  }
  if (pictures) await gallery();
} finally {
  await browser.close();
  await server.close();
}
const count = Object.keys(tests).length;
console.log(`${count} tests`);
console.log(`${count - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function gallery() {
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, viewport] of Object.entries({ wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } })) {
      const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: size === 'narrow' ? 2 : 1 });
      const page = await context.newPage();
      await page.goto(`${server.origin}/`);
      await ready(page);
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(pictures, `${colorScheme}-${size}.png`), fullPage: size === 'narrow' });
      await openScript(page, 'revenue.sql');
      await page.locator('.problems li').first().waitFor();
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(pictures, `${colorScheme}-${size}-mistakes.png`), fullPage: size === 'narrow' });
      await context.close();
    }
  }
}

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

async function ready(page) {
  await page.waitForSelector('.script .monaco-editor .view-line');
  await page.waitForSelector('.plan .stack h3');
}

async function openScript(page, path) {
  await page.locator('.files button', { hasText: path }).click();
  await page.locator('.files button[aria-pressed=true]', { hasText: path }).waitFor();
}

/** Nodes of the graph that lie on one another, or reach out of it. */
async function overlaps(page) {
  return page.evaluate(() => {
    const frame = document.querySelector('.pipeline .graph').getBoundingClientRect();
    const nodes = [...document.querySelectorAll('.pipeline .node')].map((each) => ({ name: each.textContent.trim(), box: each.getBoundingClientRect(), cut: each.scrollWidth > each.clientWidth + 1 }));
    const found = [];
    for (const [index, { name, box, cut }] of nodes.entries()) {
      if (cut) found.push(`${name} is too long for its node`);
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) found.push(`${name} is outside`);
      for (const other of nodes.slice(index + 1)) {
        if (box.left < other.box.right && other.box.left < box.right && box.top < other.box.bottom && other.box.top < box.bottom) found.push(`${name} on ${other.name}`);
      }
    }
    return found;
  });
}

/** Visible texts with less than the contrast of WCAG 2.2 AA, 4.5 to 1. Disabled controls do not count. */
async function contrasts(page) {
  return page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const channels = (colour) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return canvas.getImageData(0, 0, 1, 1).data;
    };
    const light = (colour) => {
      const [r, g, b] = [...colour].slice(0, 3).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
      for (let each = element; each !== null; each = each.parentElement) {
        const colour = channels(getComputedStyle(each).backgroundColor);
        if (colour[3] === 255) return colour;
      }
      return channels('white');
    };
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent.trim();
      if (text === '' || element.closest('script, style, noscript, option, .monaco-aria-container, :disabled') || element.getClientRects().length === 0) continue;
      if (Number(getComputedStyle(element).opacity) === 0) continue;
      const [a, b] = [light(channels(getComputedStyle(element).color)), light(behind(element))].sort((left, right) => right - left);
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < 4.5) found.add(`${ratio.toFixed(2)} ${element.className} ${text.slice(0, 40)}`);
    }
    return [...found];
  });
}

/** The script as a person replaces it: all selected, then pasted. */
async function write(page, script) {
  await page.locator('.script .monaco-editor .view-lines').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('Control+a');
  if (script === '') await page.keyboard.press('Delete');
  else await page.keyboard.insertText(script);
  await text(page, script);
}

async function text(page, expected) {
  const deadline = Date.now() + 5000;
  for (;;) {
    const actual = await scriptText(page);
    if (actual === expected) return;
    if (Date.now() > deadline) assert.equal(actual, expected);
    await page.waitForTimeout(50);
  }
}

/** The script as the editor shows it: short enough that every line is drawn. */
async function scriptText(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('.script .monaco-editor .view-line')]
      .map((line) => ({ top: Number.parseFloat(line.style.top), text: (line.textContent ?? '').replaceAll('\u00a0', ' ') }))
      .sort((left, right) => left.top - right.top)
      .map((line) => line.text)
      .join('\n'),
  );
}

async function squiggles(page, count) {
  await page.waitForFunction(
    (count) => document.querySelectorAll('.script [class*=squiggly-]').length === count && document.querySelectorAll('.problems li').length === count,
    count,
  );
}

async function caret(page, line, column) {
  await page.locator('.script .monaco-editor .view-lines').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('Control+Home');
  for (let presses = 1; presses < line; presses += 1) await page.keyboard.press('ArrowDown');
  for (let presses = 1; presses < column; presses += 1) await page.keyboard.press('ArrowRight');
}

async function planShows(page, pattern) {
  await page.waitForFunction(
    ({ source }) => {
      const shown = [...document.querySelectorAll('.plan pre')].map((each) => each.innerText).join('\n');
      return new RegExp(source).test(shown);
    },
    { source: pattern.source },
  );
}
