// The verdict that ends a line of a table, and the exit status that follows from all of them.
// It must not know what is compared.
let missed = 0;

export function verdict(faults) {
  if (faults.length > 0) missed += 1;
  return faults.length === 0 ? 'ok' : `MISSED: ${faults.join(', ')}`;
}

export const exitCode = () => (missed > 0 ? 1 : 0);
