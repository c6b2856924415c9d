#include "timestepping/drives.hpp"

namespace mc {

Drives::Drives(const Mechanism& mechanism) {
    for (const Closure& closure : mechanism.closures)
        if (closure.kind == ClosureKind::DRIVE) drives_.push_back({});
}

void Drives::write_targets(const Scene& scene, ConstVec q, const PartOfStep& at, bool mean, ContactRows& rows) const {
    const double h = at.length, whole = at.whole, from = at.from, to = from + h;
    const std::vector<Closure>& closures = scene.mechanism.closures;
    for (Int i = 0; i < count(); ++i) {
        const Drive& drive = drives_[size_t(i)];
        const Int row = rows.pins - count() + i;
        const Closure& closure = closures[closures.size() - size_t(count() - i)];
        const double off = q[closure.node] - drive.place(from, whole);
        double speed = drive.speed(to, whole);
        if (h > 0.0 && mean) speed = (drive.place(to, whole) - drive.place(from, whole)) / h;
        rows.target[row] = speed - (h > 0.0 ? scene.options.correction / whole * off : 0.0);
    }
}

double Drives::work(const PartOfStep& at, double part, const ContactRows& rows) const {
    double work = 0.0;
    const double whole = at.whole, from = at.from, to = from + part * at.length;
    for (Int i = 0; i < count(); ++i) {
        const Drive& drive = drives_[size_t(i)];
        work += part * rows.p[rows.pins - count() + i] * 0.5 * (drive.speed(from, whole) + drive.speed(to, whole));
    }
    return work;
}

}  // namespace mc
