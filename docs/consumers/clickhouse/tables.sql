-- Stores each visit with its identification in ClickHouse. Tested with ClickHouse 26.9:
--
--   clickhouse-client --multiquery < tables.sql
--
-- First, change the brokers and the consumer group. For TLS and SASL, add the engine settings kafka_security_protocol,
-- kafka_sasl_mechanism, kafka_sasl_username and kafka_sasl_password. Messages can be up to 2 MiB, so add
-- <kafka><max_partition_fetch_bytes>3145728</max_partition_fetch_bytes></kafka> to the server's configuration.

CREATE DATABASE IF NOT EXISTS agent_traffic;

-- A duplicate has the same id, but its identification can differ. As in Agent Traffic, the first message wins, because
-- `version` decreases as the offset increases. Re-identified and erased visits have a higher version than any original.
-- Query this table with FINAL, which omits erased visits. They are deleted when parts are merged, or immediately with
-- OPTIMIZE TABLE agent_traffic.visits FINAL CLEANUP. Partitions use the receipt time, because imported visits can be
-- arbitrarily old.
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
    status Nullable(Float64),
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
    evidence String CODEC(ZSTD(3)),
    version UInt64,
    is_erased UInt8
)
ENGINE = ReplacingMergeTree(version, is_erased)
PARTITION BY toYYYYMM(received_at)
ORDER BY (project_id, occurred_at, id)
TTL toDateTime(received_at) + INTERVAL 13 MONTH
SETTINGS allow_experimental_replacing_merge_with_cleanup = 1;

-- Reads the topic without storing anything. Offsets are committed after the rows have been inserted into
-- agent_traffic.visits. A message that can't be parsed blocks its partition. Consumers in excess of the number of
-- partitions are idle.
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
    -- Optional fields. Empty if absent from the message.
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

-- Header names are compared in lowercase, because messages preserve their original case.
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
    JSONExtract(visit, 'response_status_code', 'Nullable(Float64)') AS status,
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
    tupleElement(identification, 'evidence') AS evidence,
    -- Offsets are comparable, because all messages about a visit are in the same partition. The result is below 2^63.
    bitShiftLeft(toUInt64(1), 63) - 1 - toUInt64(_offset) AS version,
    0 AS is_erased
FROM agent_traffic.visits_queue;

-- Later changes to visits. `enriched_visit` contains the updated visit. It is empty if the visit was erased.
CREATE TABLE IF NOT EXISTS agent_traffic.changes_queue
(
    change String,
    project_id UUID,
    visit_id Nullable(UUID),
    received_at Nullable(String),
    occurred_at Nullable(String),
    enriched_visit String
)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'kafka:9092',
    kafka_topic_list = 'visits.changed.v1',
    kafka_group_name = 'clickhouse',
    kafka_format = 'JSONEachRow',
    input_format_skip_unknown_fields = 1;

-- All changes to a visit are in the same partition, so the last one has the highest version.
CREATE MATERIALIZED VIEW IF NOT EXISTS agent_traffic.visits_from_changes TO agent_traffic.visits AS
SELECT
    assumeNotNull(visit_id) AS id,
    project_id,
    parseDateTime64BestEffort(assumeNotNull(received_at), 3, 'UTC') AS received_at,
    parseDateTime64BestEffort(assumeNotNull(occurred_at), 3, 'UTC') AS occurred_at,
    JSONExtract(enriched_visit, 'client_address', 'Nullable(String)') AS client_address,
    JSONExtractString(enriched_visit, 'visit', 'request_path') AS path,
    JSONExtractString(enriched_visit, 'visit', 'request_method') AS method,
    tupleElement(
        arrayFirst(
            header -> lower(tupleElement(header, 1)) = 'user-agent',
            JSONExtractKeysAndValues(enriched_visit, 'visit', 'request_headers', 'String')),
        2) AS user_agent,
    JSONExtract(enriched_visit, 'visit', 'response_status_code', 'Nullable(Float64)') AS status,
    JSONExtractString(enriched_visit, 'identification', 'result') AS result,
    JSONExtract(enriched_visit, 'identification', 'reason', 'Nullable(String)') AS reason,
    JSONExtract(enriched_visit, 'identification', 'method', 'Nullable(String)') AS verification_method,
    JSONExtract(enriched_visit, 'identification', 'agent_id', 'Nullable(UUID)') AS agent_id,
    JSONExtract(enriched_visit, 'identification', 'agent_token', 'Nullable(String)') AS agent_token,
    JSONExtract(enriched_visit, 'identification', 'agent_type_name', 'Nullable(String)') AS agent_type,
    JSONExtract(enriched_visit, 'identification', 'operator_name', 'Nullable(String)') AS operator,
    JSONExtractString(enriched_visit, 'identification', 'catalog_version') AS catalog_version,
    JSONExtract(enriched_visit, 'robots', 'verdict', 'Nullable(String)') AS robots_verdict,
    JSONExtract(enriched_visit, 'referral', 'assistant', 'Nullable(String)') AS referral_assistant,
    JSONExtract(enriched_visit, 'automation', 'verdict', 'Nullable(String)') AS automation_verdict,
    JSONExtractRaw(enriched_visit, 'visit') AS visit,
    JSONExtractRaw(enriched_visit, 'identification', 'evidence') AS evidence,
    bitShiftLeft(toUInt64(1), 63) + toUInt64(_offset) AS version,
    change = 'erased' AS is_erased
FROM agent_traffic.changes_queue
WHERE change IN ('reidentified', 'erased') AND visit_id IS NOT NULL;
