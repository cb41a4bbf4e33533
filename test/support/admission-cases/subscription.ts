/** Cases of BMCEventSubscription. */
import { objectOf, type Wish } from '../admission.js';
import { type AdmissionCase, change, creation, deletion } from './admission-case.js';

const good = { hostName: 'h1', destination: 'http://listener.example/events' };
const subscription = (spec: object, more: Wish = {}) => objectOf('BMCEventSubscription', { spec, ...more });
const headers = (namespace?: string) => ({ ...good, httpHeadersRef: { name: 's', ...(namespace && { namespace }) } });
const fixed = [/^spec: cannot be changed/];

export const subscriptionCases: readonly AdmissionCase[] = [
  creation('with all that it needs', subscription(good)),
  creation('with headers of its own namespace', subscription(headers('ns'))),
  creation('with a destination that is a path', subscription({ ...good, destination: '/x' })),
  creation('without a host', subscription({ ...good, hostName: '' }), [/^spec\.hostName: is missing/]),
  creation('without a destination', subscription({ hostName: 'h1' }), [/^spec\.destination: is missing/]),
  creation('with a destination that is no URL', subscription({ ...good, destination: 'abc' }), [
    /^spec\.destination: is no URL/,
  ]),
  creation('with a bare host for a destination', subscription({ ...good, destination: 'http://listener.example' }), [
    /^spec\.destination: .*slash/,
  ]),
  creation('with headers of another namespace', subscription(headers('other')), [
    /^spec\.httpHeadersRef\.namespace: is "other"/,
  ]),
  creation('with headers of no namespace', subscription(headers()), [/^spec\.httpHeadersRef\.namespace: is ""/]),
  creation('without anything', subscription({}), [/^spec\.hostName: is missing/, /^spec\.destination: is missing/]),
  change('of the context', [subscription(good), subscription({ ...good, context: 'c' })], fixed),
  change(
    'of the context, with headers',
    [subscription(headers('ns')), subscription({ ...headers('ns'), context: 'c' })],
    fixed,
  ),
  change('of finalizers and status, with headers', [
    subscription(headers('ns'), { name: 'with-headers', finalizers: ['example.com/f'] }),
    subscription(headers('ns'), { name: 'with-headers', status: { error: 'x' } }),
  ]),
  change('of labels, stored without a host', [
    subscription({ hostName: '' }),
    subscription({ hostName: '' }, { labels: { a: 'b' } }),
  ]),
  deletion('of one without a host', subscription({ hostName: '' })),
];
