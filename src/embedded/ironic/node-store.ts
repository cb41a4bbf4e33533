import { conflict, nodeNotFound, portNotFound } from './api-error.js';
import { bmcAddressOf, driverSetting, type NodeRecord, type PowerState } from './node-record.js';
import type { PortRecord } from './port-record.js';
import type { Stamps } from './stamps.js';

/** Where changes go to survive a restart. */
export interface ChangeLog {
  nodeSaved(node: NodeRecord): void;
  nodeDeleted(uuid: string): void;
  portSaved(port: PortRecord): void;
  portDeleted(uuid: string): void;
}

/** The database: nodes and ports with their unique keys. */
export class NodeStore {
  private readonly byUuid = new Map<string, NodeRecord>();
  private readonly uuidByName = new Map<string, string>();
  private readonly portByUuid = new Map<string, PortRecord>();
  private readonly portUuidByMac = new Map<string, string>();
  private nextId = 1;
  /** Machines whose node is gone go on as they were. */
  private readonly abandoned = new Map<string, PowerState>();

  constructor(
    private readonly stamps: Stamps,
    private readonly log: ChangeLog,
  ) {}

  /** Takes over what was written down, in place of all there is. */
  replace(nodes: Iterable<NodeRecord>, ports: Iterable<PortRecord>): void {
    for (const map of [this.byUuid, this.uuidByName, this.portByUuid, this.portUuidByMac]) map.clear();
    for (const node of nodes) {
      this.index(node);
      this.nextId = Math.max(this.nextId, node.id + 1);
      this.stamps.reserve(node.fields.updated_at);
      this.stamps.reserve(node.fields.provision_updated_at);
    }
    for (const port of ports) this.indexPort(port);
  }

  nodes(): NodeRecord[] {
    return [...this.byUuid.values()];
  }

  get(uuid: string): NodeRecord | undefined {
    return this.byUuid.get(uuid);
  }

  /** By uuid or by name; 404 when there is none. Names came with version 1.5. */
  find(ident: string, minor = 5): NodeRecord {
    const uuid = minor >= 5 ? this.uuidByName.get(ident) : undefined;
    const node = this.byUuid.get(uuid ?? ident.toLowerCase());
    if (!node) throw nodeNotFound(ident);
    return node;
  }

  takeId(): number {
    return this.nextId++;
  }

  insert(node: NodeRecord): void {
    const { uuid, name } = node.fields;
    if (this.byUuid.has(uuid)) throw conflict(`A node with UUID ${uuid} already exists.`);
    this.requireUniqueName(name, uuid);
    this.requireUniqueInstance(node.fields.instance_uuid, uuid);
    // A machine that is not there has no power of its own.
    if (node.hardwarePower !== null) node.hardwarePower = this.abandoned.get(machineOf(node)) ?? node.hardwarePower;
    this.index(node);
    this.log.nodeSaved(node);
  }

  /** Stores a change of a node: stamps it, keeps the indexes right, writes it down. */
  save(node: NodeRecord): void {
    node.fields.updated_at = this.stamps.next();
    this.persist(node);
  }

  /** Like `save`, without touching `updated_at`: for locks and inner bookkeeping. */
  persist(node: NodeRecord): void {
    if (this.byUuid.get(node.fields.uuid) !== node) return;
    this.log.nodeSaved(node);
  }

  rename(node: NodeRecord, name: string | null): void {
    if (node.fields.name === name) return;
    this.requireUniqueName(name, node.fields.uuid);
    if (node.fields.name !== null) this.uuidByName.delete(node.fields.name);
    node.fields.name = name;
    if (name !== null) this.uuidByName.set(name, node.fields.uuid);
  }

  requireUniqueInstance(instance: string | null, uuid: string): void {
    if (instance === null) return;
    for (const other of this.byUuid.values()) {
      if (other.fields.instance_uuid === instance && other.fields.uuid !== uuid) {
        throw conflict(
          `Instance ${instance} is already associated with a node, it cannot be associated with this other node ${uuid}`,
        );
      }
    }
  }

  delete(node: NodeRecord): void {
    const { uuid, name } = node.fields;
    for (const port of this.portsOf(uuid)) this.deletePort(port);
    if (node.hardwarePower !== null) this.abandoned.set(machineOf(node), node.hardwarePower);
    this.byUuid.delete(uuid);
    if (name !== null) this.uuidByName.delete(name);
    this.log.nodeDeleted(uuid);
  }

  ports(): PortRecord[] {
    return [...this.portByUuid.values()];
  }

  portsOf(nodeUuid: string): PortRecord[] {
    return this.ports().filter((port) => port.fields.node_uuid === nodeUuid);
  }

  portWithMac(mac: string): PortRecord | undefined {
    return this.portByUuid.get(this.portUuidByMac.get(mac.toLowerCase()) ?? '');
  }

  findPort(ident: string): PortRecord {
    const port = this.portByUuid.get(ident.toLowerCase()) ?? this.ports().find(({ fields }) => fields.name === ident);
    if (!port) throw portNotFound(ident);
    return port;
  }

  insertPort(port: PortRecord): void {
    const { uuid, address } = port.fields;
    if (this.portByUuid.has(uuid)) throw conflict(`A port with UUID ${uuid} already exists.`);
    if (this.portWithMac(address)) throw conflict(`A port with MAC address ${address} already exists.`);
    this.indexPort(port);
    this.log.portSaved(port);
  }

  savePort(port: PortRecord, address: string): void {
    const holder = this.portWithMac(address);
    if (holder && holder !== port) throw conflict(`A port with MAC address ${address} already exists.`);
    this.portUuidByMac.delete(port.fields.address);
    port.fields.address = address;
    port.fields.updated_at = this.stamps.next();
    this.indexPort(port);
    this.log.portSaved(port);
  }

  deletePort(port: PortRecord): void {
    this.portByUuid.delete(port.fields.uuid);
    this.portUuidByMac.delete(port.fields.address);
    this.log.portDeleted(port.fields.uuid);
  }

  private requireUniqueName(name: string | null, uuid: string): void {
    const holder = name === null ? undefined : this.uuidByName.get(name);
    if (holder !== undefined && holder !== uuid) throw conflict(`A node with name ${name} already exists.`);
  }

  private index(node: NodeRecord): void {
    this.byUuid.set(node.fields.uuid, node);
    if (node.fields.name !== null) this.uuidByName.set(node.fields.name, node.fields.uuid);
  }

  private indexPort(port: PortRecord): void {
    this.portByUuid.set(port.fields.uuid, port);
    this.portUuidByMac.set(port.fields.address, port.fields.uuid);
  }
}

/** What tells machines apart whatever their nodes are called. */
function machineOf(node: NodeRecord): string {
  return `${bmcAddressOf(node)} ${driverSetting(node, '_system_id')}`;
}
