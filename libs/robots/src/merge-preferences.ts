/** Names of the preferences that rendered rules can contain. Other names stay in the file. */
const RENDERED_NAMES: ReadonlySet<string> = new Set(['search', 'ai-input', 'ai-train', 'use', 'train-ai', 'ai-use']);

/** Splits `name=value, name=value` into pairs with lowercase names and values. */
const toPairs = (value: string) =>
  value.split(',').map((text) => {
    const [name = '', ...rest] = text.trim().toLowerCase().split('=');
    return { name: name.trim(), value: rest.join('=').trim(), text: text.trim() };
  });

/**
 * Changes the value of a Content-Signal or Content-Usage line to the preferences of another one. Unknown preferences
 * are retained.
 *
 * @returns `value` itself if both already express the same preferences.
 */
export function mergePreferences(value: string, wanted: string): string {
  const [pairs, wantedPairs] = [toPairs(value), toPairs(wanted)];
  const kept = pairs.flatMap((pair) => {
    if (!RENDERED_NAMES.has(pair.name)) return pair.text === '' ? [] : [pair];
    const match = wantedPairs.find(({ name }) => name === pair.name);
    return match === undefined ? [] : [match.value === pair.value ? pair : match];
  });
  const added = wantedPairs.filter(({ name }) => !pairs.some((pair) => pair.name === name));
  const isSame = added.length === 0 && kept.length === pairs.length && kept.every((pair) => pairs.includes(pair));
  return isSame ? value : [...kept, ...added].map(({ text }) => text).join(', ');
}
