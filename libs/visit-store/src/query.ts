/**
 * Runs a statement with its parameters.
 *
 * @param planned `once`, for each connection, where planning takes long beside running it: for statements of which there are few
 *   texts, and whose plan doesn't depend on the parameters. Not for those that read stored visits of some days: such a plan has all
 *   partitions, each of which, with its indexes, takes locks, of which PostgreSQL has 64 for a connection.
 */
export type Query = <Row>(text: string, parameters: unknown[], planned?: 'once') => Promise<Row[]>;
