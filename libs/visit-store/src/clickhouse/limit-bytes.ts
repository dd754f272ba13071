/**
 * Returns SQL that selects rows until their documents reach a total size. Always selects at least one row.
 *
 * @param order Sort order as a list of columns of `rows`.
 */
export const limitBytes = (columns: string, rows: string, order: string, bytes: number): string =>
  `SELECT ${columns}, found FROM (
     SELECT *, count() OVER () AS found,
       sum(length(document)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - length(document) AS bytes_before
     FROM (${rows})
   ) WHERE bytes_before < ${Math.max(1, Math.ceil(bytes))} ORDER BY ${order}`;
