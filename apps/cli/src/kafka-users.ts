const LOGIN = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
/** User for inter-broker connections and health checks. */
const BROKER = 'kafka';

/**
 * Renders the broker's JAAS file with all users, and a properties file for Kafka's command-line tools. Passwords aren't
 * escaped, because they only contain letters and digits.
 *
 * @param passwords Passwords by user name.
 */
export function renderKafkaFiles(passwords: ReadonlyMap<string, string>): { users: string; client: string } {
  const password = passwords.get(BROKER)!;
  const login = `username="${BROKER}"\n  password="${password}"`;
  const users = [...passwords].map(([user, userPassword]) => `user_${user}="${userPassword}"`);
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
