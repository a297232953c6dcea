package org.beefs.queenbee.console.model.replication;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.beefs.queenbee.console.model.file.FileViews;
import org.beefs.queenbee.console.model.question.Questions;
import org.beefs.queenbee.hive.NaturalOrder;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.replication.fetch.FetchErrand;
import org.beefs.queenbee.replication.fetch.HoneycombWork;

/** What is being copied at present. Thread-safe. */
public final class Copying {
    private static final int MOST_EXAMPLES = 3;

    private final Questions questions;

    public Copying(Questions questions) {
        this.questions = questions;
    }

    /** The desktops to which anything is copied, or which anything leaves. */
    public List<CopyView> list() {
        return questions.ask(state -> state.replication().work().stream()
                .map(work -> view(state, work))
                .sorted(Comparator.comparing(CopyView::desktop, NaturalOrder.INSTANCE))
                .toList());
    }

    private static CopyView view(QueenState state, HoneycombWork work) {
        long now = state.clock().bootNanos();
        return new CopyView(
                work.honeycomb().desktop(),
                work.copying().size(),
                work.underWay().map(FetchErrand::bytes).orElse(0L),
                work.underWay()
                        .map(errand -> Duration.ofNanos(now - errand.begun()).toSeconds())
                        .orElse(0L),
                examples(state, work),
                work.waiting(),
                work.leaving());
    }

    private static List<String> examples(QueenState state, HoneycombWork work) {
        FileViews views = new FileViews(state);
        return work.copying().stream()
                .flatMap(number -> Optional.ofNullable(state.namespace().find(number)).stream())
                .limit(MOST_EXAMPLES)
                .map(views::path)
                .toList();
    }
}
