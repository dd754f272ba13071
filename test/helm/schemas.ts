/** JSON schemas for kubeconform, generated from Kubernetes' OpenAPI documents and from CRDs. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ensureCached, downloadModule } from '../stack/go-modules.ts';

type Schema = Record<string, unknown>;

const KUBERNETES = 'k8s.io/kubernetes@v1.36.2';
/** File names in the module's `api/openapi-spec/v3` folder. */
const GROUPS = ['api__v1', 'apis__apps__v1', 'apis__autoscaling__v2', 'apis__batch__v1'];
GROUPS.push('apis__networking.k8s.io__v1', 'apis__policy__v1');

const CRDS: Record<string, string[]> = {
  'github.com/kedacore/keda/v2@v2.21.0': [
    'config/crd/bases/keda.sh_scaledobjects.yaml',
    'config/crd/bases/keda.sh_triggerauthentications.yaml',
  ],
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': [
    'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
  'sigs.k8s.io/gateway-api@v1.6.3': ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
};

/** Generates the schemas if they aren't cached. @returns a value for kubeconform's `-schema-location` */
export async function schemaLocation(): Promise<string> {
  const identity = JSON.stringify([KUBERNETES, GROUPS, CRDS, await readFile(import.meta.filename, 'utf8')]);
  const folder = await ensureCached('chart-schemas', identity, async (work) => {
    const write = (group: string, version: string, kind: string, schema: Schema): Promise<void> =>
      writeFile(join(work, `${kind}_${group}_${version}.json`.toLowerCase()), JSON.stringify(makeStrict(schema)));
    const kubernetes = await downloadModule(KUBERNETES);
    for (const name of GROUPS) {
      const path = join(kubernetes, `api/openapi-spec/v3/${name}_openapi.json`);
      const { components } = JSON.parse(await readFile(path, 'utf8')) as { components: { schemas: Schema } };
      for (const schema of Object.values(components.schemas) as Schema[]) {
        for (const { group, version, kind } of (schema['x-kubernetes-group-version-kind'] ?? []) as Schema[]) {
          // If a kind has no group, kubeconform expects the version instead of the group in the file name.
          await write(String(group || version), String(version), String(kind), { ...schema, components });
        }
      }
    }
    for (const [module, files] of Object.entries(CRDS)) {
      const source = await downloadModule(module);
      for (const file of files) {
        const { spec } = parse(await readFile(join(source, file), 'utf8')) as { spec: CustomResource };
        for (const { name, schema } of spec.versions) {
          await write(spec.group, name, spec.names.kind, schema.openAPIV3Schema);
        }
      }
    }
  });
  return `${folder}/{{ .ResourceKind }}_{{ .Group }}_{{ .ResourceAPIVersion }}.json`;
}

interface CustomResource {
  group: string;
  names: { kind: string };
  versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
}

/** Makes a schema reject null values and, like `kubectl apply --validate=strict`, undeclared properties. */
function makeStrict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(makeStrict);
  if (value === null || typeof value !== 'object') return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, makeStrict(item)]));
  // `int-or-string` is a format in OpenAPI, but not in JSON Schema, so replace it.
  if (schema['x-kubernetes-int-or-string'] === true || schema['format'] === 'int-or-string') {
    return { type: ['string', 'integer'] };
  }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || 'additionalProperties' in schema;
  if (typeof schema['properties'] !== 'object' || schema['type'] !== 'object' || isOpen) return schema;
  return { ...schema, additionalProperties: false };
}
