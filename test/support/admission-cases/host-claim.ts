/** Cases of HostClaim. */
import { objectOf, type Wish } from '../admission.js';
import { type AdmissionCase, change, deletion, eitherWay } from './admission-case.js';

const claim = (spec: object, more: Wish = {}) => objectOf('HostClaim', { spec: { poweredOn: true, ...spec }, ...more });
const faultless = { poweredOn: true };
const where = (operator: string, values: string[], key = 'rack') =>
  claim({
    hostSelector: {
      matchExpressions: [
        { key: 'first', operator: 'exists', values: [] },
        { key, operator, values },
      ],
    },
  });
const second = '^spec\\.hostSelector\\.matchExpressions\\[1\\]';
const operators: [string, string[], RegExp?][] = [
  ['=', ['a']],
  ['==', ['']],
  ['!=', ['a']],
  ['in', ['a', 'b']],
  ['notin', ['a']],
  ['exists', []],
  ['!', []],
  ['=', [], /\.values: the operator = takes exactly one value, not 0/],
  ['!=', ['a', 'b'], /\.values: the operator != takes exactly one value, not 2/],
  ['in', [], /\.values: the operator in takes at least one value, not 0/],
  ['exists', ['vvv'], /\.values: the operator exists takes no values, not 1/],
  ['=', ['-vvv-'], /\.values\[0\]: "-vvv-"/],
  ['in', ['vvv', '-bad-'], /\.values\[1\]: "-bad-"/],
  ['badOp', ['a'], /\.operator: "badOp" for the label "rack"/],
  ['In', ['a'], /\.operator: "In"/],
  ['gt', ['1'], /\.operator: "gt"/],
  ['constructor', [], /\.operator: "constructor"/],
];
/** With the number of findings. */
const badKeys: [string, number][] = [
  ['a/b/c', 1],
  ['-a', 1],
  ['A.example/', 2],
  ['UPPER.example/a', 1],
  ['', 1],
  ['x'.repeat(64), 1],
];
const labels = (matchLabels: object) => claim({ hostSelector: { matchLabels } });
const image = { url: 'https://a/x', checksum: 'c', checksumType: 'sha256' };
const broken = { image: { url: 'test1', checksum: 'c' } };

export const hostClaimCases: readonly AdmissionCase[] = [
  ...operators.flatMap(([operator, values, message]) =>
    eitherWay(
      `by the operator ${operator} with ${JSON.stringify(values)}`,
      where(operator, values),
      faultless,
      message === undefined ? [] : [new RegExp(second + message.source)],
    ),
  ),
  ...badKeys.flatMap(([key, count]) =>
    eitherWay(
      `by a label called ${JSON.stringify(key)}`,
      where('exists', [], key),
      faultless,
      Array.from({ length: count }, () => new RegExp(`${second}\\.key: `)),
    ),
  ),
  ...eitherWay('by labels', labels({ 'example.com/rack': '1', zone: '' }), faultless),
  ...eitherWay('by a label that is none', labels({ '-a': '-b-' }), faultless, [
    /^spec\.hostSelector\.matchLabels: .*-a/,
    /^spec\.hostSelector\.matchLabels: .*-b-/,
  ]),
  ...eitherWay('by a label that is too long', labels({ a: 'x'.repeat(64) }), faultless, [
    /^spec\.hostSelector\.matchLabels: /,
  ]),
  ...eitherWay(
    'with a bad image and a bad reboot',
    claim(broken, { annotations: { 'reboot.metal3.io': 'now' } }),
    faultless,
    [/\[reboot\.metal3\.io\]: must be/, /^spec\.image\.url: is no URL/],
  ),
  ...eitherWay(
    'with an image, and user data of another namespace',
    claim({ image, userData: { name: 's', namespace: 'other' } }),
    faultless,
  ),
  change('of labels, stored with a bad image', [claim(broken), claim(broken, { labels: { a: 'b' } })]),
  deletion('of one with a bad image', claim(broken)),
];
