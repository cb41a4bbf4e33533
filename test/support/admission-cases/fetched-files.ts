/** Cases of DataImage and HostFirmwareComponents: files that are fetched by URL. */
import { objectOf } from '../admission.js';
import { type AdmissionCase, change, deletion, eitherWay } from './admission-case.js';
import { badURLs, goodURLs } from './urls.js';

const good = 'http://a/x';
const dataImage = (url: string) => objectOf('DataImage', { spec: { url } });
const components = (...updates: object[]) => objectOf('HostFirmwareComponents', { spec: { updates } });
const at = (field: string, message: RegExp) => new RegExp(`^${field}.*${message.source}`);

export const dataImageCases: readonly AdmissionCase[] = [
  ...badURLs.flatMap(([url, message]) =>
    eitherWay(`with the URL ${JSON.stringify(url)}`, dataImage(url), { url: good }, [at('spec\\.url: ', message)]),
  ),
  ...goodURLs.flatMap((url) => eitherWay(`with the URL ${JSON.stringify(url)}`, dataImage(url), { url: good })),
  change('of the metadata of one with a bad URL', [
    dataImage('abc'),
    objectOf('DataImage', { spec: { url: 'abc' }, labels: { a: 'b' } }),
  ]),
  deletion('of one with a bad URL', dataImage('abc')),
];

export const firmwareCases: readonly AdmissionCase[] = [
  ...badURLs.flatMap(([url, message]) =>
    eitherWay(
      `with the URL ${JSON.stringify(url)} of the second update`,
      components({ component: 'bios', url: good }, { component: 'bmc', url }),
      { updates: [] },
      [at('spec\\.updates\\[1\\]\\.url: of component "bmc" ', message)],
    ),
  ),
  // Which components there are is known to the controller.
  ...eitherWay('with any component', components({ component: 'foo', url: 'https://a/x' }), { updates: [] }),
  ...eitherWay('without updates', components(), { updates: [] }),
];
