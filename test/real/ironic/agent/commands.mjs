/** The commands that Ironic's conductor sends to an agent, and the steps that some of them run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inventoryOf } from './inventory.mjs';
import { AgentError, writeImage } from './write-image.mjs';

export const manager = 'generic_hardware_manager';
const managerVersion = { [manager]: '1.2' };

function step(name, priority, of, argsinfo) {
  return {
    step: name,
    priority,
    interface: of,
    reboot_requested: false,
    abortable: true,
    ...(argsinfo && { argsinfo }),
  };
}
const argument = (description, required = false) => ({ description, required });
const raidArguments = {
  raid_config: argument('The RAID configuration to apply', true),
  delete_existing: argument('Whether what is there is deleted first'),
};

const steps = {
  clean: [
    step('erase_devices', 10, 'deploy'),
    step('erase_devices_metadata', 99, 'deploy'),
    step('erase_devices_express', 0, 'deploy'),
    step('delete_configuration', 0, 'raid'),
    step('create_configuration', 0, 'raid'),
  ],
  deploy: [
    step('erase_devices_metadata', 0, 'deploy'),
    step('apply_configuration', 0, 'raid', raidArguments),
    step('write_image', 0, 'deploy'),
    step('inject_files', 0, 'deploy', { files: argument('The files') }),
  ],
  service: [
    step('delete_configuration', 0, 'raid'),
    step('create_configuration', 0, 'raid'),
    step('apply_configuration', 0, 'raid', raidArguments),
  ],
};

const errorTypes = { clean: 'CleaningError', deploy: 'DeploymentError', service: 'ServicingError' };

/** What a step does, where it does more than to take its time. */
const effects = {
  write_image: async (machine, { image_info: info, configdrive }) => {
    machine.disk = await writeImage(info, configdrive);
    machine.writes.push(machine.disk);
    return { result: `write_image: image (${info.id}) written to device /dev/sda root_uuid=` };
  },
  erase_devices: erase,
  erase_devices_metadata: erase,
  erase_devices_express: erase,
  create_configuration: (_machine, { node }) => node?.target_raid_config ?? null,
  apply_configuration: (_machine, { raid_config: configuration }) => configuration ?? null,
};

function erase(machine) {
  machine.disk = null;
  return null;
}

async function runStep(kind, machine, params) {
  const { step: name, args } = params.step;
  const { stepDelay, stepDelays, failSteps } = machine.behaviour;
  await sleep(1000 * (stepDelays[name] ?? stepDelay));
  if (failSteps[name] !== undefined) throw new AgentError(errorTypes[kind], failSteps[name]);
  const result = (await effects[name]?.(machine, { ...params, ...args })) ?? null;
  return { [`${kind}_result`]: result, [`${kind}_step`]: params.step };
}

function stepsOf(kind) {
  return { [`${kind}_steps`]: { [manager]: steps[kind] }, hardware_manager_version: managerVersion };
}

/** The rest runs on after its answer, until it says that it is done. */
const atOnce = (run) => ({ run, isAtOnce: true });
const going = (run) => ({ run, isAtOnce: false });

export const commands = {
  'clean.get_clean_steps': atOnce(() => stepsOf('clean')),
  'deploy.get_deploy_steps': atOnce(() => stepsOf('deploy')),
  'service.get_service_steps': atOnce(() => stepsOf('service')),
  'clean.execute_clean_step': going(({ machine }, params) => runStep('clean', machine, params)),
  'deploy.execute_deploy_step': going(({ machine }, params) => runStep('deploy', machine, params)),
  'service.execute_service_step': going(({ machine }, params) => runStep('service', machine, params)),
  'image.install_bootloader': going(() => null),
  'log.collect_system_logs': atOnce(() => ({ system_logs: '' })),
  'poll.get_hardware_info': atOnce(({ machine }) => inventoryOf(machine)),
  'rescue.finalize_rescue': atOnce(() => null),
  'standby.get_partition_uuids': atOnce(() => ({})),
  'standby.power_off': going((session) => session.reset('ForceOff')),
  'standby.run_image': going((session) => session.reset('ForceRestart')),
  'standby.sync': atOnce(() => null),
  'system.lockdown': atOnce((session) => session.stop()),
};
