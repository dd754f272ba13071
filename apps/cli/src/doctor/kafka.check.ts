import { inspectKafka, TopicsError, type GroupReport, type KafkaOptions } from '#libs/bus';
import { createLogger } from '#libs/platform';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

/** Lag in messages from which to warn. */
const LONG_QUEUE = 10_000;

/** Checks that Kafka is reachable, that its topics have the expected settings, and that consumers keep up. */
export async function checkKafka(options: KafkaOptions): Promise<Finding[]> {
  try {
    const report = await inspectKafka(options, createLogger({ service: 'doctor', level: 'silent', pretty: false }));
    return [
      ok('kafka', `${report.brokers.length} broker(s): ${report.brokers.join(', ')}`),
      report.differences.length === 0
        ? ok('topics', 'all there, with the settings that are wanted')
        : warning(
            'topics',
            report.differences.join('; '),
            'Alter the topics, or set KAFKA_REPLICATION_FACTOR and KAFKA_MIN_INSYNC_REPLICAS to what they shall be.',
          ),
      ...report.groups.map(groupFinding),
    ];
  } catch (error) {
    if (error instanceof TopicsError) return [fault('topics', error.message, 'Run: agent-traffic migrate')];
    const detail = `${options.brokers.join(', ')}: ${reasonOf(error)}`;
    return [fault('kafka', detail, 'Check KAFKA_BROKERS, and KAFKA_TLS and KAFKA_SASL_… if they are used.')];
  }
}

function groupFinding({ group, state, members, lag }: GroupReport): Finding {
  const subject = `${group}'s consumers`;
  if (members === 0) return fault(subject, `none (${lag} messages wait)`, `Start the service ${group}.`);
  const detail = `${members}, ${state.toLowerCase()}, ${lag} messages wait`;
  return lag < LONG_QUEUE ? ok(subject, detail) : warning(subject, detail, `Run more replicas of ${group}.`);
}
