const LOGIN = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
/** The user as whom brokers log in with each other, and the health check with them. */
const BROKER = 'kafka';

/**
 * What a broker reads of its users. Passwords are ours: letters and digits, which need no quoting.
 *
 * @param passwords by user.
 * @returns the JAAS file of all users, and a file for Kafka's own tools to log in with.
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
