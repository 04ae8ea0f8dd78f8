// The difference of two texts, line by line, as pairs of sides.

const LARGEST = 4_000_000; // cells of the table; larger texts are shown as replaced

export function sides(before, after) {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (lines) => lines.map((line) => ({ before: line, after: line }));
  const middle = compared(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))];
}

// The longest common subsequence, then runs of removed and added lines side by side.
function compared(a, b) {
  const rows = [];
  if (a.length * b.length > LARGEST) return beside(a, b);
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j]
        ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  let [i, j, gone, added] = [0, 0, [], []];
  const flush = () => {
    rows.push(...beside(gone, added));
    [gone, added] = [[], []];
  };
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      flush();
      rows.push({ before: a[i], after: b[j] });
      [i, j] = [i + 1, j + 1];
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) {
      gone.push(a[i]);
      i += 1;
    } else {
      added.push(b[j]);
      j += 1;
    }
  }
  gone.push(...a.slice(i));
  added.push(...b.slice(j));
  flush();
  return rows;
}

const beside = (gone, added) =>
  Array.from({ length: Math.max(gone.length, added.length) }, (_, at) => ({
    before: gone[at] ?? null,
    after: added[at] ?? null,
    differs: true,
  }));

const AROUND = 3; // lines shown before and after a difference

// Leave out long runs of lines that are the same.
export function folded(rows) {
  const keeps = rows.map(() => false);
  rows.forEach((row, at) => {
    if (!row.differs) return;
    for (let near = Math.max(0, at - AROUND); near <= Math.min(rows.length - 1, at + AROUND); near += 1) keeps[near] = true;
  });
  const found = [];
  let skipped = 0;
  rows.forEach((row, at) => {
    if (keeps[at]) {
      if (skipped) found.push({ skipped });
      skipped = 0;
      found.push(row);
    } else skipped += 1;
  });
  if (skipped) found.push({ skipped });
  return found;
}
