-- Every visit with its identification, in ClickHouse (tested with the engine of 26.9):
--
--   clickhouse-client --multiquery < tables.sql
--
-- Change the brokers first. TLS and SASL are settings of the engine, too (kafka_security_protocol, kafka_sasl_mechanism,
-- kafka_sasl_username, kafka_sasl_password); the group is one of your own. A message has 2 MiB at most, so give librdkafka
-- <kafka><max_partition_fetch_bytes>3145728</max_partition_fetch_bytes></kafka> in the server's configuration.

CREATE DATABASE IF NOT EXISTS agent_traffic;

-- A visit that comes again has the same id, and replaces the first: read with FINAL. Months are of receipt, because imported
-- visits can have occurred at any time.
CREATE TABLE IF NOT EXISTS agent_traffic.visits
(
    id UUID,
    project_id UUID,
    received_at DateTime64(3, 'UTC'),
    occurred_at DateTime64(3, 'UTC'),
    client_address Nullable(String),
    path String CODEC(ZSTD),
    method LowCardinality(String),
    user_agent String CODEC(ZSTD),
    status Nullable(UInt16),
    result LowCardinality(String),
    reason LowCardinality(Nullable(String)),
    verification_method LowCardinality(Nullable(String)),
    agent_id Nullable(UUID),
    agent_token LowCardinality(Nullable(String)),
    agent_type LowCardinality(Nullable(String)),
    operator LowCardinality(Nullable(String)),
    catalog_version LowCardinality(String),
    robots_verdict LowCardinality(Nullable(String)),
    referral_assistant LowCardinality(Nullable(String)),
    automation_verdict LowCardinality(Nullable(String)),
    visit String CODEC(ZSTD(3)),
    evidence String CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (project_id, occurred_at, id)
TTL toDateTime(received_at) + INTERVAL 13 MONTH;

-- Reads the topic; nothing is stored here. Offsets are committed after the rows are in the table above. A message that can't
-- be read stops its partition, as in the other examples. More consumers than partitions are idle.
CREATE TABLE IF NOT EXISTS agent_traffic.visits_queue
(
    id UUID,
    project_id UUID,
    received_at String,
    occurred_at String,
    client_address Nullable(String),
    visit String,
    identification Tuple(
        result String,
        reason Nullable(String),
        method Nullable(String),
        agent_id Nullable(UUID),
        agent_token Nullable(String),
        agent_type_name Nullable(String),
        operator_name Nullable(String),
        catalog_version String,
        evidence String),
    -- Each is absent from visits that it does not apply to.
    robots String,
    referral String,
    automation String
)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'kafka:9092',
    kafka_topic_list = 'visits.enriched.v1',
    kafka_group_name = 'clickhouse',
    kafka_format = 'JSONEachRow',
    kafka_num_consumers = 2,
    kafka_thread_per_consumer = 1,
    input_format_skip_unknown_fields = 1;

-- Header names are in the case in which they were sent.
CREATE MATERIALIZED VIEW IF NOT EXISTS agent_traffic.visits_from_queue TO agent_traffic.visits AS
SELECT
    id,
    project_id,
    parseDateTime64BestEffort(received_at, 3, 'UTC') AS received_at,
    parseDateTime64BestEffort(occurred_at, 3, 'UTC') AS occurred_at,
    client_address,
    JSONExtractString(visit, 'request_path') AS path,
    JSONExtractString(visit, 'request_method') AS method,
    tupleElement(
        arrayFirst(
            header -> lower(tupleElement(header, 1)) = 'user-agent',
            JSONExtractKeysAndValues(visit, 'request_headers', 'String')),
        2) AS user_agent,
    JSONExtract(visit, 'response_status_code', 'Nullable(UInt16)') AS status,
    tupleElement(identification, 'result') AS result,
    tupleElement(identification, 'reason') AS reason,
    tupleElement(identification, 'method') AS verification_method,
    tupleElement(identification, 'agent_id') AS agent_id,
    tupleElement(identification, 'agent_token') AS agent_token,
    tupleElement(identification, 'agent_type_name') AS agent_type,
    tupleElement(identification, 'operator_name') AS operator,
    tupleElement(identification, 'catalog_version') AS catalog_version,
    JSONExtract(robots, 'verdict', 'Nullable(String)') AS robots_verdict,
    JSONExtract(referral, 'assistant', 'Nullable(String)') AS referral_assistant,
    JSONExtract(automation, 'verdict', 'Nullable(String)') AS automation_verdict,
    visit,
    tupleElement(identification, 'evidence') AS evidence
FROM agent_traffic.visits_queue;
