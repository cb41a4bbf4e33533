// Objects of a kind, made from its schema by a seed: out of what is good, nearly good, and hostile. Plain JavaScript and cheap, for
// the tests and for the programs that measure.

const words = [
  '', 'a', 'disabled', 'fast', '1', '1-2', '4095', '-x-', 'ipmi://10.0.0.1', 'redfish://[::1]:8000/redfish/v1/Systems/1',
  'http://a/b', 'file:///etc/passwd', 'http://%', '__proto__', 'constructor', '/dev/sda', 'aa:bb:cc:dd:ee:ff', 'oci://a',
  '{"mode":"hard"}', '{"operationalStatus":"OK","__proto__":1}', '[', 'null', '\u0000', '\ud800', 'x'.repeat(300), 'exists', '=',
]; // prettier-ignore

const urls = [
  'http://a/b',
  'https://images.example.com/os.img',
  'oci://e.com/i:1',
  'HTTP://a:80/',
  'ftp://u:p@a/x',
  'file:///x',
  'abc',
  '/x',
];
const macs = ['aa:bb:cc:dd:ee:ff', 'AA-BB-CC-DD-EE-00', '0011.2233.4455', '52:54:00:00:00:01', 'aa:bb'];

/** What people would write there, by the name of the field. */
const fitting = {
  address: ['ipmi://10.0.0.1', 'redfish+http://h/redfish/v1/Systems/1', 'idrac-virtualmedia://192.0.2.1/x', 'libvirt://h:1/', '192.0.2.7:623', 'myhost:623'],
  url: urls,
  destination: [...urls, 'http://listener.example', 'https://listener.example/events'],
  bootMACAddress: macs,
  macAddress: macs,
  deviceName: ['/dev/sda', '/dev/disk/by-path/pci-0000:00:1f.2-ata-1', 'sda', '/dev/disk/by-uuid/x'],
  checksum: ['c0ffee', 'https://images.example.com/sums', ''],
  namespace: ['ns', 'ns', '', 'other'],
  allowedVLANs: ['10', '20-30', '1-4094', '0', '4095', '200-100', 'abc', '10-abc'],
  operator: ['=', '==', '!=', 'in', 'notin', 'exists', '!', 'In', 'gt'],
  key: ['rack', 'example.com/rack', '-a', 'a/b/c'],
  values: ['a', 'b', '-bad-'],
  hostName: ['host-1', ''],
}; // prettier-ignore

const annotationNames = [
  'baremetalhost.metal3.io/status', 'inspect.metal3.io', 'inspect.metal3.io/hardwaredetails', 'reboot.metal3.io', 'reboot.metal3.io/x',
]; // prettier-ignore
const annotationTexts = [
  '', 'disabled', 'enabled', '{"mode":"hard","force":true}', '{"mode":"warm"}', '{"operationalStatus":"OK","errorMessage":"","poweredOn":true,"provisioning":{"ID":"x","state":"provisioned"}}',
  '{"operationalStatus":"dreaming"}', '{"ramMebibytes":1024,"nics":[{"name":"eth0","mac":"aa"}]}', '{"nics":[{"odd":1}]}', '[[[[[[[[]]]]]]]]',
]; // prettier-ignore
const names = ['host-1', 'net', 'a', 'a4b0c1d2-1234-4abc-9def-0123456789ab', 'test~'];
const letters = 'abcxyzABC019-_.:/@[]{}%$ \\"\n\u0000é語\u{1f600}';

/** Numbers from 0 to 1, the same ones for the same seed. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class ObjectMaker {
  #random;
  #oddity;
  #schemas;

  /** `oddity`: how likely a value is of another type than its schema wants. */
  constructor(seed, crds, { oddity = 0 } = {}) {
    this.#random = randomOf(seed);
    this.#oddity = oddity;
    this.#schemas = new Map(
      crds.map(({ spec }) => [spec.names.kind, spec.versions[0].schema.openAPIV3Schema.properties]),
    );
  }

  chance(share) {
    return this.#random() < share;
  }

  pick(list) {
    return list[Math.floor(this.#random() * list.length)];
  }

  object(kind) {
    const { spec, status } = this.#schemas.get(kind);
    const metadata = {
      name: this.chance(0.8) ? this.pick(names) : this.#text(),
      namespace: this.chance(0.8) ? 'ns' : this.#text(),
      annotations: this.#annotations(),
    };
    const made = { apiVersion: 'metal3.io/v1alpha1', kind, metadata };
    if (this.chance(0.95)) made.spec = this.#value(spec, 'spec');
    if (status !== undefined && this.chance(0.5)) made.status = this.#value(status, 'status');
    return made;
  }

  /** The object with another value in one field of its spec, or with other annotations. */
  variant(object) {
    const { spec } = this.#schemas.get(object.kind);
    const fields = Object.keys(spec.properties ?? {});
    if (typeof object.spec !== 'object' || object.spec === null || this.chance(0.2)) {
      return { ...object, metadata: { ...object.metadata, annotations: this.#annotations() } };
    }
    const field = this.pick(fields);
    return { ...object, spec: { ...object.spec, [field]: this.#value(spec.properties[field], field) } };
  }

  #value(schema, name) {
    if (this.#oddity > 0 && this.chance(this.#oddity)) return this.pick([null, 7, 'odd', true, [], {}]);
    if (schema.anyOf) return this.chance(0.5) ? this.#text() : this.#integer();
    if (schema.enum) return this.chance(0.8) || schema.type !== 'string' ? this.pick(schema.enum) : this.#text();
    switch (schema.type) {
      case 'object':
        return this.#record(schema, name);
      case 'array':
        return this.#list(3, () => this.#value(schema.items ?? {}, name));
      case 'boolean':
        return this.chance(0.5);
      case 'integer':
      case 'number':
        return this.#integer();
      default:
        return Object.hasOwn(fitting, name) && this.chance(0.7) ? this.pick(fitting[name]) : this.#text();
    }
  }

  #record({ properties = {}, additionalProperties, required = [] }, name) {
    if (additionalProperties) {
      return Object.fromEntries(this.#list(3, () => [this.#text(), this.#value(additionalProperties, name)]));
    }
    const made = {};
    for (const [field, schema] of Object.entries(properties)) {
      if (required.includes(field) || this.chance(0.35)) made[field] = this.#value(schema, field);
    }
    return made;
  }

  #annotations() {
    const known = () => [this.pick(annotationNames), this.chance(0.8) ? this.pick(annotationTexts) : this.#text()];
    return Object.fromEntries(this.#list(3, () => (this.chance(0.8) ? known() : [this.#text(), this.#text()])));
  }

  #list(most, make) {
    return Array.from({ length: Math.floor(this.#random() * (most + 1)) }, make);
  }

  #integer() {
    return this.chance(0.3) ? this.pick([0, -1, 4095]) : Math.floor((this.#random() - 0.5) * 2 ** 32);
  }

  #text() {
    if (this.chance(0.6)) return this.pick(words);
    const made = this.#list(12, () => this.pick(letters)).join('');
    return this.chance(0.5) ? made : this.pick(words).slice(0, 8) + made;
  }
}
