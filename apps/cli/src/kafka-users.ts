const LOGIN = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
/** User for connections between brokers and for health checks. */
const BROKER = 'kafka';

/**
 * Returns the broker's JAAS file with all users, and a properties file for Kafka's own tools. Passwords are generated
 * from letters and digits, so they aren't escaped.
 *
 * @param passwords Passwords by user name.
 */
export function kafkaFiles(passwords: ReadonlyMap<string, string>): { users: string; client: string } {
  const password = passwords.get(BROKER)!;
  const login = `username="${BROKER}"\n  password="${password}"`;
  const users = [...passwords].map(([user, word]) => `user_${user}="${word}"`);
  return {
    users: `KafkaServer {\n  ${LOGIN}\n  ${[login, ...users].join('\n  ')};\n};\n`,
    client: [
      'security.protocol=SASL_PLAINTEXT',
      'sasl.mechanism=PLAIN',
      `sasl.jaas.config=${LOGIN} username="${BROKER}" password="${password}";`,
      '',
    ].join('\n'),
  };
}
