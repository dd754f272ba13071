import { openApiDocuments } from './index.js';

interface Document {
  paths: Record<string, Record<string, { parameters?: object[]; responses: Record<string, object> }>>;
  components: Record<string, Record<string, object>>;
}

const DOCUMENTS = openApiDocuments().map(({ slug, document }): [string, Document] => [
  slug,
  JSON.parse(JSON.stringify(document)) as Document,
]);

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref' && typeof member === 'string') yield member;
    else yield* referencesIn(member);
  }
}

describe.each(DOCUMENTS)('openApiDocument for the %s API', (_slug, document) => {
  it('references every component that it defines and no others', () => {
    const { securitySchemes: _, ...groups } = document.components;
    const components = Object.entries(groups).flatMap(([group, members]) =>
      Object.keys(members).map((name) => `#/components/${group}/${name}`),
    );
    expect([...new Set(referencesIn(document))].toSorted()).toEqual(components.toSorted());
  });

  it('describes each parameter and each problem only once', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const inlined = operations
      .flatMap(({ parameters = [], responses }) => [
        ...parameters,
        ...Object.entries(responses).flatMap(([status, response]) => (Number(status) < 400 ? [] : response)),
      ])
      .filter((item) => !('$ref' in item))
      .map((item) => JSON.stringify(item));
    expect(inlined.filter((text, index) => inlined.indexOf(text) !== index)).toEqual([]);
  });
});
