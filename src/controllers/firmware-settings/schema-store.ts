/**
 * FirmwareSchemas: made once for each set of settings and namespace, and never written again. Hosts are no owners of it, for
 * then the object would grow with the fleet; it is removed with the last settings object that names it. One that somebody
 * removes is made anew at the next look of the settings that name it, which its removal brings about.
 */
import { type FirmwareSettingRule, firmwareAttributeTypes, groupVersion, kinds } from '../../apis/index.js';
import { isKubeError, type KubeApi, type KubeObject, keyOf, type ObjectStore, parseKey } from '../../kube/index.js';
import type { FirmwareSettingSchema } from '../../provisioner/index.js';
import type { HostView } from '../host-view.js';
import { schemaName, schemaNamePattern } from './schema-name.js';
import { isSecretSetting } from './setting-rule.js';

type Rules = Readonly<Record<string, FirmwareSettingSchema>>;

export class FirmwareSchemas {
  /** Names by the keys of the settings objects: some are not in their status yet. */
  readonly #named = new Map<string, string>();

  constructor(
    private readonly api: KubeApi,
    private readonly schemas: ObjectStore<KubeObject>,
    private readonly settings: ObjectStore<KubeObject>,
  ) {}

  /** The name of the schema for these rules, which exists then. */
  async ensure(key: string, rules: Rules, host: HostView, signal?: AbortSignal): Promise<string> {
    const { namespace } = parseKey(key);
    const name = schemaName(rules);
    this.#named.set(key, name);
    const metadata = { namespace, name };
    if (this.schemas.get(keyOf({ metadata })) !== undefined) return name;
    const { firmwareSchema: kind } = kinds;
    const object = { apiVersion: groupVersion, kind: kind.kind, metadata, spec: specOf(rules, host) };
    try {
      this.schemas.put(await this.api.create<KubeObject>(kind, object, signal), 'write');
    } catch (error) {
      // Two hosts of one model come at the same time; and what others have made under this name serves as well.
      if (!isKubeError(error, 'KUBE_ALREADY_EXISTS')) throw error;
    }
    return name;
  }

  /** The settings object is gone: so are the schemas of its namespace that nobody names any more. */
  async forget(key: string): Promise<void> {
    const { namespace } = parseKey(key);
    this.#named.delete(key);
    for (const { metadata } of this.#unnamed()) {
      const { name, uid } = metadata;
      if (metadata.namespace === namespace) await this.api.delete(kinds.firmwareSchema, { namespace, name }, { uid });
    }
  }

  /** Keys of the schemas that nobody names, as they are left where the last settings went while nobody looked. To be forgotten. */
  unnamed(): string[] {
    return this.#unnamed().map(keyOf);
  }

  /** In one look at all settings, of which there may be as many as schemas. */
  #unnamed(): KubeObject[] {
    const named = new Set<string>();
    for (const [key, name] of this.#named) named.add(keyOf({ metadata: { namespace: parseKey(key).namespace, name } }));
    for (const object of this.settings.values()) {
      const { namespace = '' } = object.metadata;
      const name = schemaNamedBy(object);
      if (name !== undefined) named.add(keyOf({ metadata: { namespace, name } }));
    }
    return [...this.schemas.values()].filter((schema) => isOurs(schema) && !named.has(keyOf(schema)));
  }

  /** Keys of the settings objects that name this schema, or are about to. */
  usersOf({ metadata: { name, namespace } }: KubeObject): string[] {
    const users = [...this.settings.values()].filter((object) => {
      const isNamed = schemaNamedBy(object) === name || this.#named.get(keyOf(object)) === name;
      return isNamed && object.metadata.namespace === namespace;
    });
    return users.map(keyOf);
  }
}

/** Not those of other operators, which belong to settings, nor what people have named. */
function isOurs({ metadata: { name, ownerReferences = [] } }: KubeObject): boolean {
  return schemaNamePattern.test(name) && ownerReferences.length === 0;
}

function schemaNamedBy({ status }: KubeObject): string | undefined {
  return (status as { schema?: { name?: string } } | undefined)?.schema?.name;
}

function specOf(rules: Rules, { vendor, model }: HostView): object {
  const shown = Object.entries(rules).filter(([name, rule]) => !isSecretSetting(name, rule));
  return {
    ...(vendor !== '' && { hardwareVendor: vendor }),
    ...(model !== '' && { hardwareModel: model }),
    schema: Object.fromEntries(shown.map(([name, rule]) => [name, ruleOnTheWire(rule)])),
  };
}

/** The definition knows five types and refuses an object with another one. */
function ruleOnTheWire({ attribute_type, ...rule }: FirmwareSettingSchema): FirmwareSettingRule {
  const type = firmwareAttributeTypes.find((each) => each === attribute_type);
  const { allowable_values, ...rest } = rule;
  return {
    ...rest,
    ...(allowable_values !== undefined && { allowable_values: [...allowable_values] }),
    ...(type !== undefined && { attribute_type: type }),
  };
}
