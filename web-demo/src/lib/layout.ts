// Places for the nodes of a small directed graph, layer after layer along its arrows, with few crossings.

export interface Sized {
  id: string;
  width: number;
}

export interface Arrow {
  from: string;
  to: string;
}

export interface Placed {
  id: string;
  x: number;
  y: number;
  width: number;
}

export interface Line<A> {
  arrow: A;
  /** An SVG path that ends at its head. */
  path: string;
}

export interface Layout<A> {
  nodes: Placed[];
  lines: Line<A>[];
  width: number;
  height: number;
}

export const NODE_HEIGHT = 34;
const GAP = 16;
const SWEEPS = 12;

/** A node, or the place where a long arrow passes a layer. */
interface Cell {
  id: string | undefined;
  /** Along the arrows, and across them. */
  depth: number;
  extent: number;
  layer: number;
  /** The middle, across the arrows. */
  at: number;
  before: Cell[];
  after: Cell[];
}

interface Chain<A> {
  arrow: A;
  cells: Cell[];
  /** It closes a cycle: the layers run against it. */
  isBack: boolean;
}

/** Arrows run to the right, or downwards when `isVertical`. The room between layers is what `wanted` leaves, within bounds. */
export function layout<A extends Arrow>(nodes: readonly Sized[], arrows: readonly A[], isVertical: boolean, wanted = 0): Layout<A> {
  const cells = new Map<string, Cell>();
  for (const { id, width } of nodes) {
    const [depth, extent] = isVertical ? [NODE_HEIGHT, width] : [width, NODE_HEIGHT];
    cells.set(id, { id, depth, extent, layer: 0, at: 0, before: [], after: [] });
  }
  const known = arrows.filter(({ from, to }) => cells.has(from) && cells.has(to) && from !== to);
  const back = closing(nodes, known);
  layer(cells, known, back);
  const chains = known.map((arrow) => chain(arrow, cells, back.has(arrow)));

  const layers: Cell[][] = [];
  for (const cell of [...cells.values(), ...chains.flatMap(({ cells: [, ...inner] }) => inner.slice(0, -1))]) {
    (layers[cell.layer] ??= []).push(cell);
  }
  const filled = layers.filter((each) => each !== undefined);
  order(filled);
  spread(filled);

  const taken = filled.reduce((sum, each) => sum + Math.max(...each.map(({ depth }) => depth)), 0);
  const spacing = isVertical ? 24 : Math.min(72, Math.max(30, (wanted - taken) / Math.max(1, filled.length - 1)));
  const starts: number[] = [];
  let along = 0;
  for (const each of layers) {
    starts.push(along);
    if (each !== undefined) along += Math.max(...each.map(({ depth }) => depth)) + spacing;
  }
  const depth = Math.max(0, along - spacing);
  const low = Math.min(...filled.flat().map(({ at, extent }) => at - extent / 2));
  const high = Math.max(...filled.flat().map(({ at, extent }) => at + extent / 2));
  const point = (a: number, b: number): [number, number] => (isVertical ? [b - low, a] : [a, b - low]);

  const placed = [...cells.values()].map((cell) => {
    const [x, y] = point(starts[cell.layer] ?? 0, cell.at - cell.extent / 2);
    return { id: cell.id ?? '', x, y, width: isVertical ? cell.extent : cell.depth };
  });
  const lines = chains.map(({ arrow, cells: passed, isBack }) => {
    const stops = passed.flatMap((cell, index): [number, number][] => {
      const start = starts[cell.layer] ?? 0;
      const end = start + (cell.id === undefined ? Math.max(...(layers[cell.layer] ?? []).map((each) => each.depth)) : cell.depth);
      // Both directions between the same two nodes are two lines.
      const aside = cell.at + (isBack ? 7 : 0);
      if (index === 0) return [[end, aside]];
      if (index === passed.length - 1) return [[start, aside]];
      return [[start, aside], [end, aside]];
    });
    if (isBack) stops.reverse();
    return { arrow, path: curve(stops.map(([a, b]) => point(a, b)), isVertical) };
  });
  const [width, height] = isVertical ? [high - low, depth] : [depth, high - low];
  return { nodes: placed, lines, width: cells.size === 0 ? 0 : width, height: cells.size === 0 ? 0 : height };
}

/** The arrows that close a cycle, as a walk from the first node meets them. */
function closing<A extends Arrow>(nodes: readonly Sized[], arrows: readonly A[]): Set<A> {
  const found = new Set<A>();
  const state = new Map<string, 'open' | 'done'>();
  const visit = (id: string): void => {
    state.set(id, 'open');
    for (const arrow of arrows) {
      if (arrow.from !== id) continue;
      if (state.get(arrow.to) === 'open') found.add(arrow);
      else if (state.get(arrow.to) === undefined) visit(arrow.to);
    }
    state.set(id, 'done');
  };
  const entered = new Set(arrows.map(({ to }) => to));
  for (const { id } of [...nodes.filter((node) => !entered.has(node.id)), ...nodes]) {
    if (state.get(id) === undefined) visit(id);
  }
  return found;
}

/** Each node after those that lead to it; what nothing leads to stands right before what it leads to. */
function layer<A extends Arrow>(cells: Map<string, Cell>, arrows: readonly A[], back: Set<A>): void {
  const ends = arrows.map((arrow) => (back.has(arrow) ? { from: arrow.to, to: arrow.from } : arrow));
  for (let round = 0; round < cells.size; round += 1) {
    let isStable = true;
    for (const { from, to } of ends) {
      const [before, after] = [cells.get(from), cells.get(to)];
      if (before === undefined || after === undefined || after.layer > before.layer) continue;
      after.layer = before.layer + 1;
      isStable = false;
    }
    if (isStable) break;
  }
  for (const cell of cells.values()) {
    if (ends.some(({ to }) => to === cell.id)) continue;
    const next = ends.filter(({ from }) => from === cell.id).map(({ to }) => cells.get(to)?.layer ?? 1);
    if (next.length > 0) cell.layer = Math.min(...next) - 1;
  }
}

function chain<A extends Arrow>(arrow: A, cells: Map<string, Cell>, isBack: boolean): Chain<A> {
  const [start, end] = (isBack ? [arrow.to, arrow.from] : [arrow.from, arrow.to]).map((id) => cells.get(id)) as [Cell, Cell];
  const passed = [start];
  for (let at = start.layer + 1; at < end.layer; at += 1) {
    passed.push({ id: undefined, depth: 0, extent: 14, layer: at, at: 0, before: [], after: [] });
  }
  passed.push(end);
  for (const [index, cell] of passed.entries()) {
    const next = passed[index + 1];
    if (next === undefined) continue;
    cell.after.push(next);
    next.before.push(cell);
  }
  return { arrow, cells: passed, isBack };
}

/** Sorts each layer by the places of its neighbours, to and fro, and keeps the order with the fewest crossings. */
function order(layers: Cell[][]): void {
  const settle = (): void => layers.forEach((each) => each.forEach((cell, index) => (cell.at = index)));
  settle();
  let best = layers.map((each) => [...each]);
  let fewest = crossings(layers);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const isForward = sweep % 2 === 0;
    for (const each of isForward ? layers : layers.toReversed()) {
      const wanted = new Map(each.map((cell) => [cell, mean((isForward ? cell.before : cell.after).map(({ at }) => at)) ?? cell.at]));
      each.sort((left, right) => (wanted.get(left) ?? 0) - (wanted.get(right) ?? 0));
      each.forEach((cell, index) => (cell.at = index));
    }
    const count = crossings(layers);
    if (count < fewest) {
      fewest = count;
      best = layers.map((each) => [...each]);
    }
  }
  best.forEach((each, index) => (layers[index] = each));
  settle();
}

function crossings(layers: Cell[][]): number {
  let count = 0;
  for (const each of layers) {
    const steps = each.flatMap((cell) => cell.after.map((next) => [cell.at, next.at] as const));
    for (const [index, [a, b]] of steps.entries()) {
      for (const [c, d] of steps.slice(index + 1)) if ((a - c) * (b - d) < 0) count += 1;
    }
  }
  return count;
}

/** Moves the cells of each layer towards their neighbours, as far as the order and the gaps allow. */
function spread(layers: Cell[][]): void {
  for (const each of layers) {
    let at = 0;
    for (const cell of each) {
      cell.at = at + cell.extent / 2;
      at += cell.extent + GAP;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isForward = sweep % 2 === 0;
    for (const each of isForward ? layers : layers.toReversed()) {
      const wanted = each.map((cell) => mean((isForward ? cell.before : cell.after).map(({ at }) => at)) ?? mean([...cell.before, ...cell.after].map(({ at }) => at)) ?? cell.at);
      // Pushed apart downwards and upwards, and the middle of both taken, nothing is favoured.
      const down = apart(each, wanted);
      const up = apart(each.toReversed(), wanted.toReversed().map((at) => -at)).toReversed().map((at) => -at);
      each.forEach((cell, index) => (cell.at = ((down[index] ?? 0) + (up[index] ?? 0)) / 2));
    }
  }
}

function apart(cells: readonly Cell[], wanted: readonly number[]): number[] {
  let free = -Infinity;
  return cells.map(({ extent }, index) => {
    const at = Math.max(wanted[index] ?? 0, free + extent / 2);
    free = at + extent / 2 + GAP;
    return at;
  });
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function curve(stops: readonly [number, number][], isVertical: boolean): string {
  return stops
    .map(([x, y], index) => {
      const before = stops[index - 1];
      if (before === undefined) return `M${round(x)} ${round(y)}`;
      const [x0, y0] = before;
      const control = isVertical
        ? [x0, y0 + (y - y0) / 2, x, y0 + (y - y0) / 2]
        : [x0 + (x - x0) / 2, y0, x0 + (x - x0) / 2, y];
      return `C${control.map(round).join(' ')} ${round(x)} ${round(y)}`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
