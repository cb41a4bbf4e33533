/** Cases of BareMetalHost. */
import type { HostView } from '../../../src/webhooks/rules/index.js';
import { host, type Wish } from '../admission.js';
import { type AdmissionCase, change, creation, deletion, eitherWay } from './admission-case.js';
import { badHosts } from './bad-hosts.js';
import { goodHosts } from './good-hosts.js';
import { bmc, idrac, image, ipmi, mac } from './host-wishes.js';

const inState = (state: string, operationalStatus = 'OK') => ({
  status: { operationalStatus, errorMessage: '', poweredOn: false, provisioning: { ID: '', state } },
});
const from = (before: Wish, after: Wish) => [host(before), host(after)] as const;
const moved = { spec: bmc('ipmi://10.0.0.2') };
const taken = { spec: { externallyProvisioned: true } };
const boot = (bootMACAddress: string) => ({ spec: { bootMACAddress } });

const fixedAddress = [/^spec\.bmc\.address: .*detached/];
const fixedMAC = [/^spec\.bootMACAddress: .*aa:bb:cc:dd:ee:ff/];
const changes: AdmissionCase[] = [
  creation('that is provisioned by others', host(taken)),
  change('to another BMC', from({ spec: ipmi, ...inState('available') }, moved), fixedAddress),
  change('to another BMC, while detached', from({ spec: ipmi, ...inState('available', 'detached') }, moved)),
  change('to another BMC, while being registered', from({ spec: ipmi, ...inState('registering') }, moved)),
  change('to no BMC', from({ spec: ipmi, ...inState('available') }, {}), fixedAddress),
  change('from a BMC without an address', from({ spec: bmc(''), ...inState('available') }, { spec: ipmi })),
  change(
    'to another BMC, and the same request claims that it is detached',
    from({ spec: ipmi, ...inState('available') }, { ...moved, ...inState('available', 'detached') }),
    fixedAddress,
  ),
  change('of the case of the boot MAC address', from(boot('aa:bb:cc:dd:ee:ff'), boot('AA:BB:CC:DD:EE:FF'))),
  change('from no boot MAC address', from({}, boot('aa:bb:cc:dd:ee:ff'))),
  change('to another boot MAC address', from({ spec: mac }, boot('aa:bb:cc:dd:ee:00')), fixedMAC),
  change('to no boot MAC address', from({ spec: mac }, {}), fixedMAC),
  change('of who provisions it, in available', from(inState('available'), taken)),
  change('of who provisions it, in inspecting', from(inState('inspecting'), taken), [
    /^spec\.externallyProvisioned: .*"inspecting"/,
  ]),
  change('of who provisions it, in ready', from(inState('ready'), taken), [/^spec\.externallyProvisioned: .*"ready"/]),
  change('back from being provisioned by others', from({ ...taken, ...inState('externally provisioned') }, {})),
  change(
    'of image, consumer and credentials',
    from(
      { spec: ipmi, ...inState('provisioned') },
      { spec: { image, consumerRef: { name: 'm' }, bmc: { ...ipmi.bmc, credentialsName: 'other' } } },
    ),
  ),
];

const broken = {
  name: 'broken',
  spec: { firmware: {}, image: { url: 'file:///x' } },
  annotations: { 'inspect.metal3.io': 'odd' },
};
const allFaults = [
  /^spec\.firmware: /,
  /^spec\.image\.url: /,
  /^spec\.image\.checksum: /,
  /\[inspect\.metal3\.io\]: "odd"/,
];
const untouched: AdmissionCase[] = [
  change(
    'of the description of a host that breaks rules',
    from(broken, { ...broken, spec: { ...broken.spec, description: 'new' } }),
    allFaults,
  ),
  change(
    'of labels and finalizers of a host that breaks rules',
    from({ ...broken, finalizers: ['example.com/f'], labels: { a: 'b' } }, broken),
  ),
  change(
    'of an annotation that no rule is about, of a host that breaks rules',
    from(broken, { ...broken, annotations: { ...broken.annotations, 'ironchart.io/rebooted': 'x' } }),
  ),
  change('of an annotation that goes, of a host that breaks rules', from(broken, { ...broken, annotations: {} })),
  change(
    'of an annotation that is judged, of a host that breaks rules',
    from(broken, { ...broken, annotations: { ...broken.annotations, 'reboot.metal3.io': '' } }),
    allFaults,
  ),
];

const neighbour = host({ name: 'b', spec: { ...ipmi, ...mac } }) as HostView;
const stranger = host({ name: 'hidden', namespace: 'theirs', spec: mac }) as HostView;
const weak = { ...image, checksumType: 'md5' };
const warned: AdmissionCase[] = [
  creation('with md5', host({ spec: { image: weak } }), [], { warnings: [/^spec\.image\.checksumType: md5/] }),
  creation('with the MAC address and the BMC of another', host({ spec: { ...ipmi, ...mac } }), [], {
    hosts: [neighbour],
    warnings: [/^spec\.bootMACAddress: .*the host b/, /^spec\.bmc\.address: .*the host b/],
  }),
  creation('with the MAC address of one of another namespace', host({ spec: { ...ipmi, ...mac } }), [], {
    hosts: [stranger],
    warnings: [/^spec\.bootMACAddress: .*a host of another namespace/],
  }),
  creation('that nothing is to be said of', host({ spec: { ...idrac, ...mac, image } }), [], { warnings: [] }),
];

/** A name cannot be changed: what is said of it is said to whoever makes the host. */
const isAboutName = ({ name }: Wish) => name !== undefined;

export const bareMetalHostCases: readonly AdmissionCase[] = [
  ...goodHosts.flatMap(([title, wish]) => eitherWay(title, host(wish), { online: true })),
  ...badHosts.flatMap(([title, wish, refusals, earlier]) => {
    const both = eitherWay(title, host(wish), { online: true }, refusals, { earlier });
    return isAboutName(wish) ? both.slice(0, 1) : both;
  }),
  ...changes,
  ...untouched,
  ...warned,
  deletion('of a host that breaks rules', host({ name: 'doomed', spec: { firmware: {} } })),
];
