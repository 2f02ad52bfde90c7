// The policies side by side: what each would move and launch, how that differs from the plan on show, and the switch.
// It must not know how a policy finds groups: every figure is the core's.
import { html, nothing, svg } from 'lit';
import { bytesText, countText, difference, exactBytesText, share } from '../figures.js';
import type { Count, Plan, Policy, PolicyFigures } from '../plan.js';

const meanings: Record<Policy, string> = {
  rows: 'Reductions join the kernel that walks their rows',
  regions: 'Closed regions around reductions become kernels first',
  elementwise: 'Reductions stay apart',
};

/** +40 MiB, −2, or nothing where both are the same. */
function change(of: Count, from: Count, text: (count: Count) => string) {
  const more = difference(of, from);
  if (Number(more) === 0) return nothing;
  const size = more < 0 ? difference(0, more) : more;
  return html`<span class="change quiet">${more < 0 ? '−' : '+'}${text(size)}</span>`;
}

export function policiesTable(plan: Plan, choose: (policy: Policy) => void) {
  const chosen = plan.policies.find(({ policy }) => policy === plan.options.policy);
  if (!chosen) return nothing;
  const most = plan.policies.reduce<Count>((max, one) => (one.bytes_fused > max ? one.bytes_fused : max), 0);
  return html`
    <section aria-label="Policies">
      <h2>Policies</h2>
      <table class="policies">
        <thead>
          <tr>
            <th scope="col">Policy</th>
            <th scope="col" class="number">Moved</th>
            <th scope="col" class="number">Kernels</th>
            <th scope="col" class="number">Launches</th>
          </tr>
        </thead>
        <tbody>
          ${plan.policies.map((one) => row(one, chosen, most, choose))}
        </tbody>
      </table>
    </section>
  `;
}

function row(one: PolicyFigures, chosen: PolicyFigures, most: Count, choose: (policy: Policy) => void) {
  const isChosen = one === chosen;
  const figure = (key: 'kernels' | 'launches') => html`<td class="number">
    ${countText(one[key])}${change(one[key], chosen[key], countText)}
  </td>`;
  return html`
    <tr class=${isChosen ? 'marked' : ''} @click=${() => choose(one.policy)}>
      <th scope="row">
        <button type="button" aria-pressed=${isChosen} title=${meanings[one.policy]}>${one.policy}</button>
        <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          ${svg`<rect class="fused" width=${share(one.bytes_fused, most) * 100} height="6"></rect>`}
        </svg>
      </th>
      <td class="number" title=${exactBytesText(one.bytes_fused)}>
        ${bytesText(one.bytes_fused)}${change(one.bytes_fused, chosen.bytes_fused, bytesText)}
      </td>
      ${figure('kernels')}${figure('launches')}
    </tr>
  `;
}
