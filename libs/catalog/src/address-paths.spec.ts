import { parseAddressPaths, evaluateAddressPath } from './address-paths.js';

it.each<[string, unknown, unknown[]]>([
  ['$', 'a', ['a']],
  ['$[*].ip', [{ ip: 1 }, { ip: 2 }, { v6: 3 }, 'x', null], [1, 2]],
  ['$.*[*]', { eu: [1], us: [2, 3], none: null }, [1, 2, 3]],
  ['$.a["v4","v\\"6",\'x\\\'y\'][*]', { a: { v4: [1], 'v"6': [2], "x'y": [3] } }, [1, 2, 3]],
  ['$[ 0 , 2 ]', ['a', 'b', 'c'], ['a', 'c']],
  ["$.p[?(@.service == 'EC2')].ip", { p: [{ service: 'EC2', ip: 1 }, { service: 'S3', ip: 2 }, 3] }, [1]],
  ['$[?@["a b"]=="x"].ip', { one: { 'a b': 'x', ip: 1 }, other: {} }, [1]],
  ['$.length', [1], []],
  ['$.constructor', {}, []],
  ['$["0"]', ['a'], []],
  ['$[0]', { 0: 'a' }, []],
])('evaluates the JSONPath %s', (source, document, values) => {
  expect(parseAddressPaths(source).flatMap((path) => evaluateAddressPath(document, path))).toEqual(values);
});

it('parses comma-separated paths', () => {
  const document = { v4: [1], 'v,6': [2] };
  const paths = parseAddressPaths('$.v4[*], $["v,6"][*]');
  expect(paths.map((path) => evaluateAddressPath(document, path))).toEqual([[1], [2]]);
});

it.each([
  [
    "$[?search(@,'(a+)+$')]",
    'has unexpected "search(@,\'(a+)+$\')]" at position 4: use only names, zero-based indices, [*]',
  ],
  ['$[?match(@["a"], "x|y")].ip', 'has unexpected "match('],
  ['$..*..*', 'has unexpected "..*..*" at position 2'],
  ['$[?@.a]', 'has unexpected "]" at position 7'],
  ['$[?@.a=="x" && @.b=="y"]', 'has unexpected " && '],
  ['$[?@.*=="x"]', 'has unexpected ".*=='],
  ['$[?$.a=="x"]', 'has unexpected "$.a'],
  ['$[-1]', 'has unexpected "-1]" at position 3'],
  ['$[1:2]', 'has unexpected ":2]"'],
  ['$["a",*]', 'has unexpected "*]"'],
  ['$.a,', 'ends unexpectedly at position 5'],
  ['$.[', 'has unexpected ".[" at position 2'],
  ['$["\\u0041"]', 'at position 3'],
  ['', 'ends unexpectedly at position 1'],
  [Array(11).fill('$.a').join(), 'has more than 10 paths'],
])('rejects the JSONPath %s', (source, message) => {
  expect(() => parseAddressPaths(source)).toThrow(message);
});

it("returns each value only once, so results can't outgrow the document", () => {
  const [path] = parseAddressPaths(`$${'["a","a"]'.repeat(50)}`);
  const deep = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`) as unknown;
  expect(evaluateAddressPath(deep, path!)).toEqual([1]);
});
