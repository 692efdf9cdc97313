/** Returns the octets under a key of a vector or of a reply. The parts of a long file are joined. */
export function octets(vector, key) {
  const joined = [];
  const file = { text: vector[key], base64: vector[`${key}_base64`] ?? '' };
  for (const part of vector[`${key}_parts`] ?? [file]) {
    for (let number = 1; number <= (part.times ?? 1); number += 1) {
      if (part.text === undefined) joined.push(Buffer.from(part.base64, 'base64'));
      else joined.push(Buffer.from(part.counter ? part.text.replaceAll(part.counter, String(number)) : part.text));
    }
  }
  const all = Buffer.concat(joined);
  const length = vector[`${key}_length`] ?? all.length;
  if (all.length !== length) throw new Error(`${all.length} octets instead of ${length}`);
  return all;
}
