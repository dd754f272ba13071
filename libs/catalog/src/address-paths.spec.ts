import { readAddressPaths, valuesAt } from './address-paths.js';

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
])('%s', (source, document, values) => {
  expect(readAddressPaths(source).flatMap((path) => valuesAt(document, path))).toEqual(values);
});

it('reads several paths', () => {
  const document = { v4: [1], 'v,6': [2] };
  const paths = readAddressPaths('$.v4[*], $["v,6"][*]');
  expect(paths.map((path) => valuesAt(document, path))).toEqual([[1], [2]]);
});

it.each([
  ["$[?search(@,'(a+)+$')]", 'has "search(@,\'(a+)+$\')]" at position 4: write names, positions from 0, [*]'],
  ['$[?match(@["a"], "x|y")].ip', 'has "match('],
  ['$..*..*', 'has "..*..*" at position 2'],
  ['$[?@.a]', 'has "]" at position 7'],
  ['$[?@.a=="x" && @.b=="y"]', 'has " && '],
  ['$[?@.*=="x"]', 'has ".*=='],
  ['$[?$.a=="x"]', 'has "$.a'],
  ['$[-1]', 'has "-1]" at position 3'],
  ['$[1:2]', 'has ":2]"'],
  ['$["a",*]', 'has "*]"'],
  ['$.a,', 'has its end at position 5'],
  ['$.[', 'has ".[" at position 2'],
  ['$["\\u0041"]', 'at position 3'],
  ['', 'has its end at position 1'],
  [Array(11).fill('$.a').join(), 'has more than 10 paths'],
])('rejects %s', (source, message) => {
  expect(() => readAddressPaths(source)).toThrow(message);
});

it('returns each value once, so results grow only with the document', () => {
  const [path] = readAddressPaths(`$${'["a","a"]'.repeat(50)}`);
  const deep = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`) as unknown;
  expect(valuesAt(deep, path!)).toEqual([1]);
});
