import { inspectKafka, TopicSetupError, type GroupReport, type KafkaOptions } from '#libs/bus';
import { createLogger } from '#libs/platform';
import { fault, ok, getErrorReason, warning, type Finding } from './finding.js';

/** Consumer lag, in messages, at which to warn. */
const MAX_LAG_MESSAGES = 10_000;

/** Checks that Kafka is reachable, that topics have the expected settings, and that consumers keep up. */
export async function checkKafka(options: KafkaOptions): Promise<Finding[]> {
  try {
    const report = await inspectKafka(options, createLogger({ service: 'doctor', level: 'silent', pretty: false }));
    return [
      ok('kafka', `${report.brokers.length} broker(s): ${report.brokers.join(', ')}`),
      report.differences.length === 0
        ? ok('topics', 'all exist with the expected settings')
        : warning(
            'topics',
            report.differences.join('; '),
            'Change the topics, or set KAFKA_REPLICATION_FACTOR and KAFKA_MIN_INSYNC_REPLICAS to match them.',
          ),
      ...report.groups.map(groupFinding),
    ];
  } catch (error) {
    if (error instanceof TopicSetupError) return [fault('topics', error.message, 'Run: agent-traffic migrate')];
    const detail = `${options.brokers.join(', ')}: ${getErrorReason(error)}`;
    return [fault('kafka', detail, 'Check KAFKA_BROKERS, and KAFKA_TLS and KAFKA_SASL_… if you use them.')];
  }
}

function groupFinding({ group, state, members, lag }: GroupReport): Finding {
  const subject = `${group}'s consumers`;
  if (members === 0) return fault(subject, `none (${lag} messages pending)`, `Start the ${group} service.`);
  const detail = `${members}, ${state.toLowerCase()}, ${lag} messages pending`;
  return lag < MAX_LAG_MESSAGES ? ok(subject, detail) : warning(subject, detail, `Add replicas of ${group}.`);
}
