/** What a runner has, or a DAG asks for. */
export function LabelList({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  const pairs = Object.entries(labels)
  if (pairs.length === 0) return <span class="quiet">none</span>
  return (
    <>
      {pairs.map(([name, value]) => (
        <span key={name} class="label-list-label">
          {name}={value}
        </span>
      ))}
    </>
  )
}
