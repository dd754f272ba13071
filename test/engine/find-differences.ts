import type { Engine as EngineClass, SnapshotKey } from '../../libs/engine/src/package.js';
import type { VerdictGroup } from '../kit/engine-verdicts.js';

interface Corpus {
  groups: readonly VerdictGroup[];
  key: SnapshotKey;
  token: string;
}

/** Returns the cases in which the engine's verdict differs from the services'. Runs in every JavaScript runtime. */
export async function findDifferences(Engine: typeof EngineClass, { groups, key, token }: Corpus) {
  const different: object[] = [];
  let count = 0;
  for (const { name, snapshot, now, cases } of groups) {
    const engine = await Engine.open(snapshot, { keys: [key], token, now: () => now });
    for (const { request, expected, missing } of cases) {
      const local = await engine.identify(request);
      const isSame = local.missing === missing && JSON.stringify(local.identification) === JSON.stringify(expected);
      // Without the evidence, only the instance can identify the sender.
      if (missing === null ? !isSame : local.missing !== missing) different.push({ name, request, local, expected });
      count += 1;
    }
  }
  return { count, different };
}
