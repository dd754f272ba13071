import type { ComposeService } from './compose.ts';

/** Adds Kafka brokers. Every topic is replicated to each broker, and writes require two in-sync replicas. */
export function addBrokers(services: ReadonlyMap<string, ComposeService>, count: number): Map<string, ComposeService> {
  if (count === 1) return new Map(services);
  const names = Array.from({ length: count }, (_, index) => (index === 0 ? 'kafka' : `kafka-${index + 1}`));
  const minimum = String(Math.min(2, count));
  const brokerSettings: Record<string, string> = {
    KAFKA_BROKERS: names.map((name) => `${name}:9092`).join(','),
    KAFKA_REPLICATION_FACTOR: String(count),
    KAFKA_MIN_INSYNC_REPLICAS: minimum,
    KAFKA_CONTROLLER_QUORUM_VOTERS: names.map((name, index) => `${index + 1}@${name}:9093`).join(','),
    KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: String(count),
    KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: String(count),
    KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: minimum,
  };
  const result = new Map<string, ComposeService>();
  for (const service of services.values()) {
    const environment = { ...service.environment };
    for (const [name, value] of Object.entries(brokerSettings)) if (name in environment) environment[name] = value;
    const isDependent = 'kafka' in service.dependsOn;
    const others = Object.fromEntries(names.map((name) => [name, 'service_healthy' as const]));
    const dependsOn = isDependent ? { ...service.dependsOn, ...others } : service.dependsOn;
    if (service.name !== 'kafka') result.set(service.name, { ...service, environment, dependsOn });
    else
      for (const [index, name] of names.entries())
        result.set(name, createBroker(service, environment, name, index + 1));
  }
  return result;
}

function createBroker(
  service: ComposeService,
  environment: Record<string, string>,
  name: string,
  id: number,
): ComposeService {
  return {
    ...service,
    name,
    environment: {
      ...environment,
      KAFKA_NODE_ID: String(id),
      KAFKA_ADVERTISED_LISTENERS: environment['KAFKA_ADVERTISED_LISTENERS']!.replace('kafka:', `${name}:`),
    },
    volumes: service.volumes.map(({ source, target }) => ({ source: source.replace(/^kafka$/, name), target })),
    healthcheck: service.healthcheck && {
      ...service.healthcheck,
      test: service.healthcheck.test.map((word) => word.replace('kafka:', `${name}:`)),
    },
  };
}
