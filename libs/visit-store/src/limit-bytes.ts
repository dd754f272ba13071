/** Returns SQL that selects rows until their documents reach a total size. Always selects at least one row. */
export const limitBytes = (columns: string, rows: string, order: string, bytes: number): string =>
  `SELECT ${columns}, found FROM (
     SELECT found.*, count(*) OVER ()::int AS found,
       sum(octet_length(document)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
     FROM (${rows}) found
   ) sized WHERE before < ${Math.max(1, Math.ceil(bytes))} ORDER BY ${order}`;
