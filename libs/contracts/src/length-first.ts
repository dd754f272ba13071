import { _, type Ajv2020, type CodeKeywordDefinition } from 'ajv/dist/2020.js';

/**
 * Makes an Ajv that names all errors skip `pattern` and `format` on a text that is longer than its `maxLength`, as one
 * that stops at the first error does anyway. Schemas then do not compile where either stands without a `maxLength`.
 *
 * @param boundedFormats formats that refuse long texts themselves, so that they need no `maxLength`.
 */
export function checkLengthsFirst(ajv: Ajv2020, boundedFormats: ReadonlySet<string>): void {
  for (const keyword of ['pattern', 'format']) {
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    ajv.removeKeyword(keyword).addKeyword({
      ...definition,
      code(cxt, ruleType) {
        if (keyword === 'format' && boundedFormats.has(String(cxt.schema))) return definition.code(cxt, ruleType);
        const { maxLength } = cxt.parentSchema as { maxLength?: number };
        if (maxLength === undefined) throw new Error(`${cxt.it.errSchemaPath} has a ${keyword} but no maxLength`);
        const check = cxt.gen.scopeValue('func', { ref: isWithin });
        cxt.gen.if(_`${check}(${cxt.data}, ${maxLength})`, () => definition.code(cxt, ruleType));
      },
    });
  }
}

/** As `maxLength` counts: characters, not UTF-16 code units. */
function isWithin(text: string, maxLength: number): boolean {
  return text.length <= maxLength || (text.length <= 2 * maxLength && [...text].length <= maxLength);
}
