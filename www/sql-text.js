// SQL as it is shown.

const SHOWN = 3;

/**
 * SQL with its long arrays cut to their first numbers. What stands in a string literal or a quoted name stays.
 *
 * @param {string} sql
 */
export function shortened(sql) {
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|ARRAY\[([^\]]*)\]/g, (whole, inner) => {
    const numbers = inner?.split(",") ?? [];
    if (numbers.length <= SHOWN + 1) return whole;
    return `ARRAY[${numbers.slice(0, SHOWN).join(", ")}, … ${numbers.length} numbers]`;
  });
}
