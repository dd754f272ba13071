/** Downloads Apache Kafka from Maven Central, once per version. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCommands } from './packages.ts';

/** JVM options for short-lived brokers. Brokers use less CPU time to start, but have a lower throughput. */
export const SHORT_LIVED_JVM_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const run = promisify(execFile);
const SLF4J_VERSION = '1.7.36';

/** Returns a Kafka server's class path. Downloads Kafka if it isn't in `~/.cache`. */
export async function kafkaClassPath(version: string): Promise<string> {
  await ensureCommands({ java: 'openjdk-17-jre-headless' });
  const cache = join(homedir(), '.cache/agent-traffic-stack');
  const folder = join(cache, `kafka-${version}`);
  const jars = await readdir(folder).catch(() => []);
  if (jars.length === 0) await downloadKafka(version, cache, folder);
  return join(folder, '*');
}

async function downloadKafka(version: string, cache: string, folder: string): Promise<void> {
  await ensureCommands({ mvn: 'maven' });
  await mkdir(cache, { recursive: true });
  const workFolder = await mkdtemp(join(cache, 'fetching-'));
  await writeFile(join(workFolder, 'pom.xml'), createPom(version));
  await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=jars', '-DincludeScope=runtime'], {
    cwd: workFolder,
  });
  // Renaming is atomic. It fails if another process has created the folder in the meantime.
  await rename(join(workFolder, 'jars'), folder).catch(async (error: unknown) => {
    if ((await readdir(folder).catch(() => [])).length === 0) throw error;
  });
  await rm(workFolder, { recursive: true, force: true });
}

const createPom = (version: string): string => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>agent-traffic</groupId>
  <artifactId>stack</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>${SLF4J_VERSION}</version></dependency>
  </dependencies>
</project>
`;
