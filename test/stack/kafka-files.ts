/** Brings Apache Kafka from Maven Central, once for each version and machine. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCommands } from './packages.ts';

/** For brokers that live for a minute or two: they start with half the processor time, and nobody measures them. */
export const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const run = promisify(execFile);
const SLF4J = '1.7.36';

/** The class path of a Kafka server; fetched when it is not in `~/.cache` yet. */
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
  // Whole or not at all; another process may have been faster.
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
