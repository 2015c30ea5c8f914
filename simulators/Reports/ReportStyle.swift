/// How the page of a report looks.
enum ReportStyle {
    /// The sheet. Colours are named for what they say.
    static let sheet: StaticString = """
        :root {
          color-scheme: light dark;
          --page: #f4f6f8; --surface: #ffffff; --line: #e1e6ec; --text: #18202b; --muted: #566274;
          --good: #17703f; --good-soft: #e3f4ea; --bad: #b3261e; --bad-soft: #fdeae8;
          --warn: #8a5300; --warn-soft: #fdf1da; --wall: #8794a5; --soft: #eef2f6;
          --s1: #2463cf; --s2: #0b8577; --s3: #c98a00; --s4: #7a45c9; --s5: #c2413a;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #0e1217; --surface: #161c23; --line: #29323d; --text: #e5ebf3; --muted: #98a6b8;
            --good: #6fd69a; --good-soft: #14301f; --bad: #ff9a92; --bad-soft: #3b1b19;
            --warn: #f3c265; --warn-soft: #34280f; --wall: #6d7b8d; --soft: #1f2730;
            --s1: #79aefc; --s2: #52cdbb; --s3: #f0bd4a; --s4: #bb9af5; --s5: #ff8f86;
          }
        }
        *, *::before, *::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; overflow-wrap: anywhere; }
        main { max-width: 1080px; margin: 0 auto; padding: 36px 20px 20px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; }
        footer { max-width: 1080px; margin: 0 auto; padding: 0 20px 40px; color: var(--muted); font-size: 0.85rem; }
        h1, h2, p, ul, dl, dd, figure { margin: 0; padding: 0; }
        h1 { font-size: 1.9rem; line-height: 1.2; font-weight: 680; letter-spacing: -0.015em; }
        h2 { font-size: 1.08rem; font-weight: 650; letter-spacing: -0.005em; margin-bottom: 14px; }
        .over { color: var(--muted); font-size: 0.85rem; font-weight: 560; margin-bottom: 2px; }
        .verdict { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; margin: 14px 0; padding: 10px 16px; border-radius: 10px; }
        .verdict strong { font-size: 1.05rem; }
        .verdict.good { background: var(--good-soft); color: var(--good); }
        .verdict.bad { background: var(--bad-soft); color: var(--bad); }
        .verdict.warn { background: var(--warn-soft); color: var(--warn); }
        .verdict span { color: var(--text); }
        .facts { display: flex; flex-wrap: wrap; gap: 6px 28px; }
        .facts div { display: flex; gap: 8px; }
        dt, .name { color: var(--muted); }
        dd { font-variant-numeric: tabular-nums; }
        .tiles { list-style: none; display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 155px), 1fr)); }
        .tiles li { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 12px 14px; display: flex; flex-direction: column; }
        .tiles .name { font-size: 0.85rem; }
        .tiles strong { font-size: 1.5rem; line-height: 1.3; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
        .remark { color: var(--muted); font-size: 0.8rem; line-height: 1.35; }
        section { background: var(--surface); border: 1px solid var(--line); border-radius: 14px; padding: 20px; min-width: 0; }
        .lead { margin: -6px 0 16px; color: var(--muted); }
        .lead b { color: var(--text); }
        .wide { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
        th, td { text-align: left; padding: 7px 12px 7px 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
        tbody tr:last-child th, tbody tr:last-child td { border-bottom: 0; }
        thead th { color: var(--muted); font-weight: 500; font-size: 0.82rem; white-space: nowrap; }
        tbody th { font-weight: 560; white-space: nowrap; }
        td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
        td.mark { width: 1.6em; font-weight: 700; }
        .mark.good { color: var(--good); }
        .mark.bad { color: var(--bad); }
        tr.broken td, tr.broken th { background: var(--bad-soft); }
        code, pre { font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; font-size: 0.86em; }
        .hash { color: var(--muted); font-size: 0.78em; }
        pre { overflow-x: auto; margin: 12px 0 0; padding: 14px; background: var(--soft); border-radius: 10px; line-height: 1.5; overflow-wrap: normal; }
        summary { cursor: pointer; color: var(--muted); }
        details[open] summary { margin-bottom: 10px; }
        .pair { display: grid; gap: 28px; grid-template-columns: minmax(0, 1.6fr) minmax(0, 1fr); align-items: start; }
        .chart { display: grid; grid-template-columns: 3.4em minmax(0, 1fr); gap: 6px 10px; }
        .chart + .chart, .chart + .faults { margin-top: 26px; }
        .chart figcaption { grid-column: 1 / 3; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 2px 16px; font-size: 0.9rem; }
        .plot { width: 100%; height: 150px; display: block; overflow: visible; }
        .scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin: -0.6em 0; }
        .scale, .times { color: var(--muted); font-size: 0.76rem; font-variant-numeric: tabular-nums; line-height: 1.2; white-space: nowrap; }
        .times { grid-column: 2; display: flex; justify-content: space-between; }
        .times.placed { display: block; height: 1.2em; position: relative; }
        .times.placed span { position: absolute; }
        .times .around { transform: translateX(-50%); }
        .times .before { transform: translateX(-100%); }
        .rule { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
        .line { fill: none; stroke-width: 1.8; vector-effect: non-scaling-stroke; stroke-linejoin: round; stroke-linecap: round; }
        .area { opacity: 0.14; stroke: none; }
        .line.s1 { stroke: var(--s1); } .area.s1 { fill: var(--s1); }
        .line.s2 { stroke: var(--s2); } .area.s2 { fill: var(--s2); }
        .line.s3 { stroke: var(--s3); } .area.s3 { fill: var(--s3); }
        .line.s4 { stroke: var(--s4); } .area.s4 { fill: var(--s4); }
        .line.s5 { stroke: var(--s5); } .area.s5 { fill: var(--s5); }
        .keys { display: flex; flex-wrap: wrap; gap: 2px 16px; }
        .key::before { content: ""; display: inline-block; width: 14px; height: 3px; border-radius: 2px; margin-right: 7px; vertical-align: 0.25em; background: currentColor; }
        .key.s1::before { background: var(--s1); } .key.s2::before { background: var(--s2); }
        .key.s3::before { background: var(--s3); } .key.s4::before { background: var(--s4); }
        .key.s5::before { background: var(--s5); }
        .faults figcaption { font-size: 0.9rem; margin-bottom: 6px; }
        .faults .row { display: grid; grid-template-columns: 3.4em minmax(0, 1fr); gap: 2px 10px; padding: 3px 0; }
        .faults .row > * { grid-column: 2; }
        .faults .label { color: var(--muted); font-size: 0.85rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
        .faults .label b { color: var(--text); font-weight: 560; }
        .track { position: relative; height: 14px; background: var(--soft); border-radius: 4px; overflow: hidden; }
        .bar { position: absolute; top: 0; bottom: 0; min-width: 3px; background: var(--s5); opacity: 0.8; border-radius: 3px; }
        .bar.open { border-top-right-radius: 0; border-bottom-right-radius: 0; }
        .floor { display: grid; gap: 12px; }
        .floor figcaption { color: var(--muted); font-size: 0.88rem; }
        .floor figcaption b { color: var(--text); }
        .plan { width: 100%; height: auto; max-height: 560px; display: block; background: var(--soft); border-radius: 10px; }
        .plan path, .plan circle { vector-effect: non-scaling-stroke; }
        .plan .room { fill: var(--surface); stroke: var(--wall); stroke-width: 2; stroke-linejoin: round; }
        .plan .carpet { fill: var(--s3); opacity: 0.12; }
        .plan .obstacle { fill: var(--wall); opacity: 0.45; }
        .plan .no-go { fill: none; stroke: var(--s5); stroke-width: 1.5; stroke-dasharray: 5 4; }
        .plan .door { fill: var(--surface); }
        .plan .trail { fill: none; stroke: var(--s1); stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; opacity: 0.75; }
        .plan .dock { fill: none; stroke: var(--s2); stroke-width: 2; }
        .plan .start { fill: var(--surface); stroke: var(--s1); stroke-width: 2; }
        .plan .robot { fill: var(--s1); stroke: var(--surface); stroke-width: 2; }
        .plan text { fill: var(--text); stroke: var(--surface); stroke-width: 5px; paint-order: stroke; stroke-linejoin: round; text-anchor: middle; dominant-baseline: central; font-weight: 560; }
        @media (max-width: 720px) {
          main { padding-top: 22px; }
          h1 { font-size: 1.5rem; }
          section { padding: 16px 14px; }
          .wide table { min-width: 520px; }
          .pair { grid-template-columns: minmax(0, 1fr); }
          .times span:nth-child(even) { display: none; }
        }
        @media print {
          body { background: none; }
          section, .tiles li { break-inside: avoid; }
        }
        """
}
