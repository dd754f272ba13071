/** Downloads Apache Kafka from Maven Central, once per version. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCommands } from './packages.ts';

/** JVM options for short-lived brokers: they start with less CPU time, but reach a lower throughput. */
export const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const run = promisify(execFile);
const SLF4J = '1.7.36';

/** Returns the class path of a Kafka server. Downloads Kafka if it is not in `~/.cache`. */
export async function kafkaClassPath(version: string): Promise<string> {
  await ensureCommands({ java: 'openjdk-17-jre-headless' });
  const cache = join(homedir(), '.cache/agent-traffic-stack');
  const folder = join(cache, `kafka-${version}`);
  const jars = await readdir(folder).catch(() => []);
  if (jars.length === 0) await fetchKafka(version, cache, folder);
  return join(folder, '*');
}

async function fetchKafka(version: string, cache: string, folder: string): Promise<void> {
  await ensureCommands({ mvn: 'maven' });
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetching-'));
  await writeFile(join(work, 'pom.xml'), pom(version));
  await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=jars', '-DincludeScope=runtime'], {
    cwd: work,
  });
  // A rename is atomic. Another process may have created the folder in the meantime.
  await rename(join(work, 'jars'), folder).catch(async (error: unknown) => {
    if ((await readdir(folder).catch(() => [])).length === 0) throw error;
  });
  await rm(work, { recursive: true, force: true });
}

const pom = (version: string): string => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>agent-traffic</groupId>
  <artifactId>stack</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>${SLF4J}</version></dependency>
  </dependencies>
</project>
`;
