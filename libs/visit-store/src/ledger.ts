/**
 * Days for which PostgreSQL keeps the IDs of visits that ClickHouse stores. Kafka delivers messages again for 7 days at
 * most. Visits with older IDs are also searched for in ClickHouse.
 */
export const LEDGER_DAYS = 8;
