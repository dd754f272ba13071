import { isIP } from 'node:net';
import { isIpAddress } from './ip-address.js';

const SAMPLES = [
  '192.0.2.1',
  '192.0.2.256',
  '192.0.2',
  '192.0.2.01',
  '0.0.0.0',
  '255.255.255.255',
  '1.2.3.4.5',
  '1.2.3.4 ',
  '',
  '-',
  'localhost',
  '::',
  '::1',
  ':::',
  '1::2::3',
  '2001:DB8::7',
  '2001:db8:0:0:0:0:0:7',
  '1:2:3:4:5:6:7::',
  '1:2:3:4:5:6:7:8',
  '1:2:3:4:5:6:7:8::',
  '1:2:3:4:5:6:7',
  '::ffff:192.0.2.1',
  '::ffff:192.0.2.256',
  '::ffff:192.0.2.01',
  '64:ff9b::192.0.2.33',
  '12345::',
  'fe80::1%eth0',
  'fe80::1%',
  'fe80::1%e/0',
  '[::1]',
  '::1]/a[',
  '192.0.2.1:80',
];

it('agrees with isIP from Node.js', () => {
  expect(SAMPLES.map((text) => [text, isIpAddress(text)])).toEqual(SAMPLES.map((text) => [text, isIP(text) !== 0]));
});
