// The fields of a scratch launch: grid, block, memory, and each parameter as a scalar or a buffer.
// It must not know what is launched, nor what comes of it.
import { html, nothing, type TemplateResult } from 'lit';
import { dtypes, fills, type Fill, type LaunchForm, type ParameterForm } from '../scratch-launch.js';
import { visibleText } from '../visible-text.js';

type Change = (launch: LaunchForm) => void;

const MOST = 2 ** 53 - 1;
const fillNames: Record<Fill, string> = {
  random: 'random',
  zeros: 'zeros',
  iota: '0, 1, 2, …',
  none: 'unwritten',
  value: 'value',
};

/** A whole number of a field; what is none puts the old one back. */
function whole(input: HTMLInputElement, least: number, most: number, old: number): number {
  const value = Number(input.value.replaceAll(',', ''));
  const now = input.value.trim() !== '' && Number.isInteger(value) ? Math.min(most, Math.max(least, value)) : old;
  input.value = String(now);
  return now;
}

function field(label: string, value: number, least: number, most: number, change: (value: number) => void): TemplateResult {
  return html`<input
    inputmode="numeric"
    aria-label=${label}
    size=${Math.max(3, String(value).length + 1)}
    .value=${String(value)}
    @change=${(event: Event) => change(whole(event.target as HTMLInputElement, least, most, value))}
  />`;
}

export function launchFields(launch: LaunchForm, change: Change): TemplateResult {
  const extent = (name: 'grid' | 'block') => html`
    <fieldset class="extent">
      <legend>${name}</legend>
      ${['x', 'y', 'z'].map((axis, at) =>
        field(`${name} ${axis}`, launch[name][at] ?? 1, 1, 2 ** 31 - 1, (value) =>
          change({ ...launch, [name]: launch[name].map((old, i) => (i === at ? value : old)) }),
        ),
      )}
    </fieldset>
  `;
  const single = (name: string, key: 'shared_bytes' | 'seed' | 'most_steps', title: string, least = 0) => html`
    <label title=${title}><span>${name}</span>${field(name, launch[key], least, MOST, (value) => change({ ...launch, [key]: value }))}</label>
  `;
  return html`
    <section aria-label="Launch">
      <h2>Launch</h2>
      <div class="fields">
        ${extent('grid')} ${extent('block')}
        ${single('shared bytes', 'shared_bytes', 'Dynamic shared memory of a block')}
        ${single('seed', 'seed', 'Of the random fills: the same seed, the same values')}
        ${single('step budget', 'most_steps', 'Warp instructions; a launch that needs more is ended and reported', 1)}
      </div>
      <h2>Parameters</h2>
      ${launch.parameters.length === 0 ? html`<p class="quiet">The entry takes none.</p>` : nothing}
      ${launch.parameters.map((parameter, at) =>
        parameterFields(parameter, (now) =>
          change({ ...launch, parameters: launch.parameters.map((old, i) => (i === at ? now : old)) }),
        ),
      )}
    </section>
  `;
}

function parameterFields(parameter: ParameterForm, change: (parameter: ParameterForm) => void): TemplateResult {
  const { name, type, as, value, dtype, count, fill } = parameter;
  const shown = visibleText(name);
  const select = (label: string, options: readonly (readonly [string, string])[], now: string, set: (value: string) => void) => html`
    <select aria-label="${shown}: ${label}" @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
      ${options.map(([key, words]) => html`<option value=${key} .selected=${key === now}>${words}</option>`)}
    </select>
  `;
  const text = (label: string) => html`<input
    class="value"
    aria-label="${shown}: ${label}"
    spellcheck="false"
    autocomplete="off"
    .value=${value}
    @change=${(event: Event) => change({ ...parameter, value: (event.target as HTMLInputElement).value })}
  />`;
  return html`
    <div class="parameter" role="group" aria-label="Parameter ${shown}">
      <span class="which"><span class="mono" title=${shown}>${shown}</span> <span class="quiet mono">.${type}</span></span>
      ${select('passed as', [['buffer', 'buffer'], ['scalar', 'scalar']], as, (now) =>
        change({ ...parameter, as: now === 'scalar' ? 'scalar' : 'buffer' }),
      )}
      ${as === 'scalar'
        ? text('value')
        : html`
            ${select('dtype', dtypes.map((one) => [one, one] as const), dtype, (now) => change({ ...parameter, dtype: now }))}
            <span class="times" aria-hidden="true">×</span>
            ${field(`${shown}: count`, count, 0, 2 ** 40, (now) => change({ ...parameter, count: now }))}
            ${select('filled with', fills.map((one) => [one, fillNames[one]] as const), fill, (now) =>
              change({ ...parameter, fill: now as Fill }),
            )}
            ${fill === 'value' ? text('fill value') : nothing}
          `}
    </div>
  `;
}
