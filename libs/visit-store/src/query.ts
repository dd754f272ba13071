/**
 * Runs a statement with its parameters.
 *
 * @param planned `once` prepares the statement on each connection. Use it for a few fixed texts that take long to plan, and whose
 *   plan doesn't depend on the parameters. Don't use it to read stored visits of some days: such a plan locks every partition and its
 *   indexes, and PostgreSQL has 64 locks per connection.
 */
export type Query = <Row>(text: string, parameters: unknown[], planned?: 'once') => Promise<Row[]>;
