import { _, type Ajv2020, type CodeKeywordDefinition } from 'ajv/dist/2020.js';

/**
 * Makes Ajv skip `pattern` and `format` for strings longer than `maxLength`, even when it collects all errors. Schemas
 * that use either keyword without `maxLength` fail to compile.
 *
 * @param boundedFormats Formats that limit the length themselves and don't require `maxLength`.
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
        const check = cxt.gen.scopeValue('func', { ref: isWithinLength });
        cxt.gen.if(_`${check}(${cxt.data}, ${maxLength})`, () => definition.code(cxt, ruleType));
      },
    });
  }
}

/** Compares the number of code points, as `maxLength` does, not of UTF-16 code units. */
function isWithinLength(text: string, maxLength: number): boolean {
  return text.length <= maxLength || (text.length <= 2 * maxLength && [...text].length <= maxLength);
}
