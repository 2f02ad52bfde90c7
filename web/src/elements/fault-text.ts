// What a kernel did that it must not, and what it counted: shown alike for a plan's kernel and for a scratch launch.
// It must not know which of them it is.
import { html, nothing, type TemplateResult } from 'lit';
import { countText } from '../figures.js';
import type { Count } from '../plan.js';
import type { Counters, Fault } from '../run.js';
import { counterName, faultName, placeText } from '../run-words.js';
import { visibleText } from '../visible-text.js';

export function faultText(fault: Fault, goTo: (line: number) => void): TemplateResult {
  return html`
    <div class="fault">
      <h3><span aria-hidden="true">!</span> ${visibleText(faultName(fault))}</h3>
      <p>${visibleText(fault.message)}</p>
      <dl>
        <div><dt>block</dt><dd>${placeText(fault.block)}</dd></div>
        <div><dt>thread</dt><dd>${placeText(fault.thread)}</dd></div>
        ${fault.address === null ? nothing : html`<div><dt>address</dt><dd>${visibleText(fault.address)}</dd></div>`}
      </dl>
      ${fault.line > 0
        ? html`<button type="button" class="op" @click=${() => goTo(fault.line)}>PTX line ${countText(fault.line)}</button>`
        : nothing}
    </div>
  `;
}

export function countersTable(counters: Counters): TemplateResult {
  const row = (name: string, count: Count) => html`<tr>
    <th scope="row">${name}</th>
    <td class="number">${countText(count)}</td>
  </tr>`;
  const plain = Object.entries(counters).filter((entry): entry is [string, Count] => typeof entry[1] !== 'object');
  const classes = Object.entries(counters.by_class ?? {}).filter(([, count]) => Number(count) > 0);
  return html`
    <details class="counters">
      <summary>Counters</summary>
      <table>
        <tbody>
          ${plain.map(([name, count]) => row(counterName(name), count))}
        </tbody>
        ${classes.length === 0
          ? nothing
          : html`<tbody>
              <tr><th scope="colgroup" colspan="2" class="quiet">thread instructions by class</th></tr>
              ${classes.map(([name, count]) => row(counterName(name), count))}
            </tbody>`}
      </table>
    </details>
  `;
}
