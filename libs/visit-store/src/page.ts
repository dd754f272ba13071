const PATHNAME = `split_part(path, '?', 1)`;

/**
 * SQL expression for a visit's page, as returned by `getPage`. Removes the suffixes from the reversed path, because an
 * expression that is anchored at the start takes linear time even for a path of slashes. Most paths don't end with a
 * character that a suffix can end with, so they skip the expression.
 */
export const PAGE_NAME = `coalesce(nullif(CASE WHEN right(${PATHNAME}, 1) IN ('/', 'd', 'l')
  THEN reverse(regexp_replace(reverse(${PATHNAME}), '^(?:(?:dm|lmth)[.](?:xedni/)?|/)+', ''))
  ELSE ${PATHNAME} END, ''), left(path, 1))`;

/** SQL expression for the first folder of a column `page`, such as `/blog/*`, or the page if it's not in a folder. */
export const FIRST_FOLDER = `CASE WHEN split_part(page, '/', 3) = '' THEN page
  ELSE '/' || split_part(page, '/', 2) || '/*' END`;

/** Like {@link FIRST_FOLDER}, for ClickHouse. */
export const CLICKHOUSE_FIRST_FOLDER = `if(splitByChar('/', page)[3] = '', page,
  concat('/', splitByChar('/', page)[2], '/*'))`;

const CLICKHOUSE_PATHNAME = `substringIndex(path, '?', 1)`;
const CAN_END_WITH_SUFFIX = ['/', 'd', 'l'].map((end) => `endsWith(${CLICKHOUSE_PATHNAME}, '${end}')`).join(' OR ');

/** Like {@link PAGE_NAME}, for ClickHouse, whose regular expressions always take linear time. */
export const CLICKHOUSE_PAGE_NAME = `ifNull(nullIf(if(${CAN_END_WITH_SUFFIX},
  replaceRegexpOne(${CLICKHOUSE_PATHNAME}, '(?:(?:/index)?[.](?:md|html)|/)+$', ''),
  ${CLICKHOUSE_PATHNAME}), ''), substring(path, 1, 1))`;
