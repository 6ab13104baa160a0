// What every range of the package has to be: its UTF-16 offsets and its bytes name the same part of the text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What is wrong with the first wrong range in `value`, however deep it lies; undefined when there is none. */
export function wrongRange(text, value) {
  return walk(text, new TextEncoder().encode(text), value);
}

function walk(text, bytes, value) {
  if (value === null || typeof value !== 'object') return undefined;
  if ('utf16Start' in value) return wrong(text, bytes, value);
  for (const member of Object.values(value)) {
    const found = walk(text, bytes, member);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wrong(text, bytes, range) {
  const { start, end, utf16Start, utf16End } = range;
  const inside = start <= end && end <= bytes.length && utf16Start <= utf16End && utf16End <= text.length;
  if (!inside) return `the range ${JSON.stringify(range)} leaves the text`;
  let ofBytes;
  try {
    ofBytes = decoder.decode(bytes.subarray(start, end));
  } catch {
    return `the range ${JSON.stringify(range)} cuts a character`;
  }
  const ofUnits = text.slice(utf16Start, utf16End);
  return ofBytes === ofUnits ? undefined : `the range ${JSON.stringify(range)} names ${JSON.stringify(ofBytes)} and ${JSON.stringify(ofUnits)}`;
}
